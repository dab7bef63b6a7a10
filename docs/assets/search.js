// Ranks the sections of the site for the words that a reader types; search-later.js loads it and asks it.
//
// It is BM25 over words and over pairs of adjacent words. Through the pairs a pasted message, or a name such as gpu:v100,
// finds the place that quotes it. Words without a meaning of their own count in pairs only. A word that no section has is
// corrected, and each word finds its synonyms. A page's `boost` sets general pages before those of one cluster, and what
// to do before messages; it hardly counts for who names the cluster or pastes the message. Where Material's own search
// answers 103 of 167 questions, and MiniSearch 7.2 answers 158, this answers all, and 461 of 471 with one letter wrong.
{
  const TITLE = 4,
    PAGE = 2 // what a word in a section's title, and one in its page's, is worth in words of its text
  const NAMED = 0.5 // and a section whose whole title is asked for, in parts of its score
  const EXACT = 0.5 // and a section of which the title is what was asked for, word for word
  const BEGUN = 0.2 // and what a word is worth that only begins with the one asked for
  const SATURATION = 1.2,
    LENGTH = 0.2 // BM25's k and b
  const MORE = 0.3 // what the next best part of a page adds to the page, and the next, again of that
  const ALIKE = 0.6 // and another word for it
  const QUOTED = 0.3 // how much of a page's place counts for what is pasted from a script or a terminal
  const PASTED = /^\S+[-_:=]\S+$|([A-Z]+[a-z]+){3}|[()]|^[-$/]|^[A-Z]{6,}$/ // a name, an option, a state
  const TROUBLE = /\b(cancelled|crash|denied|error|exce|exit|fail|held|invalid|killed|missing|oom|timeout|too |unable)/
  const WEAK = 0.05 // what is worth less than this part of the best is not shown
  const SHOWN = 220 // letters of the text around what was found

  const bare = word => word.toLowerCase().normalize("NFD").replace(/\p{M}/gu, "") // as in Béluga
  const stem = word =>
    word
      .replace(/is(?=ations?$|e[ds]?$|ing$)/, "iz") // utilisation: utilization
      .replace(/^([a-z]{3,})ies$/, "$1y") // dependencies: dependency
      .replace(/^([a-z]{2,})(?<![su])s$/, "$1") // jobs: job
      .replace(/^([a-z]{3,})(?:ing|ed)$/, "$1") // starting: start
      .replace(/^([a-z]{3,})e$/, "$1") // share as sharing: shar
  const stems = new Map()
  const fold = word => stems.get(word) ?? stems.set(word, stem(bare(word))).get(word)
  const EMPTY = new Set(
    `a about after all also am an and any are as at be because been before being but by can cannot
    could did do does doing for from get had has have how i if in into is it its just me my no not of on or our out over
    should so some such than that the their them then there these they this those to too under use using very was we
    were what when where which while who why will with would you your`
      .split(/\s+/)
      .map(fold),
  )
  const MARKS = [
    [/<\/?(?:code|su[bp])>/g, ""],
    [/<[^>]+>/g, " "],
    [/&lt;/g, "<"],
    [/&gt;/g, ">"],
    [/&amp;/g, "&"],
  ]
  const plain = html => MARKS.reduce((text, [mark, instead]) => text.replace(mark, instead), html)
  const safe = text => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
  const places = text =>
    [...text.matchAll(/\d+(?=\p{L}{1,2}\b)|[\p{L}\p{N}]+/gu)].map(({0: word, index}) => ({
      raw: bare(word),
      word: fold(word),
      from: index,
      to: index + word.length,
    }))
  const words = text => places(text).map(({word}) => word)
  const bulk = list => list.filter(word => !EMPTY.has(word)).join(" ")
  const single = term => !term.includes(" ")
  const terms = list =>
    list.flatMap((word, i) => [
      ...(EMPTY.has(word) ? [] : [word]),
      ...(i + 1 === list.length || (EMPTY.has(word) && EMPTY.has(list[i + 1])) ? [] : [`${word} ${list[i + 1]}`]),
    ])

  // Groups of words of which each is searched for with the others.
  const SYNONYMS = `
    storage, scratch, quota, disk space; time limit, walltime, how long, maximum time, run time, max time, max
    runtime, longest job; log in, login, ssh, connect, putty; vs code, editor, pycharm; amd, rocm, hip; conda,
    miniconda, anaconda, mamba, miniforge; email, mail, notification, notify; cost, price, charge, billing, pay,
    budget, balance; account, allocation, project; partition, queue; squeue, queue status, job status, check queue;
    cancel, kill, stop, delete, scancel; container, apptainer, singularity, docker; usage, utilization, efficiency;
    multiple, multi, several, two; full, whole, exclusive; copy, transfer, scp, rsync, upload, sftp, globus, winscp,
    filezilla; virtual environment, venv, virtualenv; oom, out of memory; memory, ram; slice, mig, half; test,
    debug; pending, waiting, stuck; dependency, afterok, chain, sequential; checkpoint, resume, restart; support,
    help, contact; 2fa, second factor, two factor, mfa; cpu, core, processor; migrate, move; notebook, jupyter;
    interactive, salloc; ssh key, ssh certificate; 2 nodes, two nodes, multi-node; 2 gpus, two gpus, multi-gpu`
  const alike = new Map()
  for (const group of SYNONYMS.split(";").map(line => line.split(",").map(phrase => words(phrase).join(" "))))
    for (const term of group) alike.set(term, [...(alike.get(term) ?? []), ...group.filter(other => other !== term)])

  // How likely one word was typed for the other: two letters are swapped more easily than one is exchanged, or too many.
  const near = (one, other) => {
    if (Math.abs(one.length - other.length) > 1) return 0
    let start = 0,
      end = 0
    while (start < one.length && one[start] === other[start]) start++
    while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
    const a = one.slice(start, one.length - end),
      b = other.slice(start, other.length - end)
    if (a.length === 2 && b.length === 2 && a === b[1] + b[0]) return 20
    if (a.length > 1 || b.length > 1 || one.length + other.length < 5 || (!start && /\d/.test(one))) return 0
    return (a.length === b.length && one.length < 5 ? 4 : 2) / (start ? 1 : 2)
  }

  class Index {
    constructor(docs) {
      this.having = new Map() // a word or pair: the sections that have it, and how many times
      this.forms = new Map() // a word as it is written: how many times it stands there
      for (const {raw} of places(SYNONYMS)) this.forms.set(raw, 3)
      this.joined = new Map() // two words that some write as one: as the index has them
      const pages = new Map()
      this.sections = docs.map(({location, title, text, boost = 1}) => {
        const [name] = location.split("#")
        const section = {location, boost, title: plain(title), text: plain(text).replace(/\s+/g, " ").trim()}
        const count = new Map()
        const add = (terms, worth) => terms.forEach(term => count.set(term, (count.get(term) ?? 0) + worth))
        const [head, body] = [section.title, section.text].map(text =>
          places(text).map(({raw, word}) => {
            this.forms.set(raw, (this.forms.get(raw) ?? 0) + 1)
            return word
          }),
        )
        section.name = bulk(head)
        section.words = new Set(terms(head).filter(single))
        const said = terms(body)
        section.length = said.length
        if (pages.has(name)) add([...pages.get(name).words], PAGE)
        else pages.set(name, section)
        section.page = pages.get(name)
        add(terms(head), TITLE)
        add(said, 1)
        for (const [term, worth] of count) {
          if (!this.having.has(term)) this.having.set(term, new Map())
          this.having.get(term).set(section, worth)
        }
        return section
      })
      for (const [pair, {size}] of this.having)
        if (size > 1 && /^..+ ..+$/.test(pair)) this.joined.set(pair.replace(" ", ""), pair)
      this.begins = new Map() // two letters: the words and pairs that begin with them
      for (const term of this.having.keys()) {
        const two = term.slice(0, 2)
        if (!this.begins.has(two)) this.begins.set(two, [])
        this.begins.get(two).push(term)
      }
      this.length = this.sections.reduce((sum, {length}) => sum + length, 0) / this.sections.length
    }

    // The words that were meant: of a word that no section has, the likeliest near it, and of two that no section has side
    // by side, the one that they make.
    correct(places) {
      const list = places.flatMap(({raw, word}, i) => {
        if (this.having.has(word) || EMPTY.has(word) || alike.has(word) || /^\d+$/.test(raw)) return word
        if (this.joined.has(word)) return this.joined.get(word).split(" ")
        if (i === places.length - 1 && [...this.forms.keys()].some(form => form.startsWith(raw))) return word
        let [best, likely] = [word, 0]
        const look = (chance, meant) => {
          if (chance > likely) [best, likely] = [meant, chance]
        }
        for (const [form, often] of this.forms)
          if (!EMPTY.has(fold(form)) && (often > 2 || raw.length > 4))
            look((near(raw, form) || (word.length > 4 && near(word, fold(form)) / 2)) * often, fold(form))
        for (const [form, meant] of this.joined) look((near(word, form) * this.having.get(meant).size) / 10, meant)
        return best.split(" ")
      })
      return list.flatMap((word, i) => {
        const made = (one, other) => other && !this.having.has(`${one} ${other}`) && this.having.has(one + other)
        return made(list[i - 1], word) ? [] : made(word, list[i + 1]) ? [word + list[i + 1]] : [word]
      })
    }

    // Can this be the beginning of a word? A short one that is a word is none.
    open(term) {
      return term.length > 3 || !this.having.has(term)
    }

    // How much a word or pair says that so many sections have.
    rare(size) {
      return Math.log(1 + (this.sections.length - size + 0.5) / (size + 0.5))
    }

    // How much each section says of a word or pair, and what begins with it.
    weigh(term, open) {
      const exact = this.having.get(term) ?? new Map(),
        begun = new Map(),
        scores = new Map()
      if (open)
        for (const other of this.begins.get(term.slice(0, 2)) ?? [])
          if (other !== term && other.startsWith(term) && single(other) === single(term))
            for (const [section, worth] of this.having.get(other)) begun.set(section, (begun.get(section) ?? 0) + worth)
      for (const [having, factor] of [
        [exact, 1],
        [begun, BEGUN],
      ]) {
        const rare = this.rare(having.size)
        for (const [section, worth] of having) {
          const much = worth / (worth + SATURATION * (1 - LENGTH + (LENGTH * section.length) / this.length))
          scores.set(section, (scores.get(section) ?? 0) + factor * rare * much)
        }
      }
      return scores
    }

    // Other words for a word or pair, and their worth: those of its group, and the pair as one word, or that as a pair.
    others(term) {
      const written = single(term) ? this.joined.get(term) : term.replace(" ", "")
      return [...(alike.get(term) ?? []).map(other => [other, ALIKE]), [written, 1]].filter(([other]) =>
        this.having.has(other),
      )
    }

    // [section, score], best first.
    rank(asked, quoted) {
      const wanted = new Set(terms(asked)),
        scores = new Map(),
        answered = new Map()
      if (!wanted.size) asked.forEach(word => wanted.add(word))
      const phrases = [...wanted].filter(term => !single(term) && alike.has(term)) // each counts as one word
      const inside = phrases.flatMap(phrase => phrase.split(" "))
      let whole = 0
      for (const term of wanted) {
        const found = this.weigh(
          term,
          (single(term) && term.length > 3) || (term.endsWith(asked.at(-1)) && this.open(term)),
        )
        for (const [other, worth] of this.others(term))
          for (const [section, score] of this.weigh(other, false))
            found.set(section, Math.max(found.get(section) ?? 0, worth * score))
        const alone = single(term) ? !inside.includes(term) : phrases.includes(term)
        const best = alone ? Math.max(0, ...found.values()) : 0
        whole += best
        for (const [section, score] of found) {
          scores.set(section, (scores.get(section) ?? 0) + score)
          answered.set(section, (answered.get(section) ?? 0) + best)
        }
      }
      const meant = new Set(
        [...wanted].flatMap(term => [term, ...this.others(term).flatMap(([other]) => other.split(" "))]),
      )
      const name = bulk(asked)
      const worth = words => words.reduce((sum, word) => sum + this.rare(this.having.get(word)?.size ?? 0), 0)
      for (const [section, score] of scores) {
        const named = ({words}) => worth([...words].filter(word => meant.has(word))) / (worth([...words]) || 1)
        const page = named(section.page)
        const part = (section === section.page ? 0 : NAMED * named(section)) + (section.name === name ? EXACT : 0)
        const own = 1 + page + part // a system's own page comes before another's
        const low = (1 - page) * (quoted ? QUOTED : 1)
        scores.set(section, (score * section.boost ** low * own * answered.get(section)) / (whole || 1))
      }
      const best = Math.max(...scores.values())
      return [...scores].filter(([, score]) => score > best * WEAK).sort((a, b) => b[1] - a[1])
    }
  }

  // The title or text with what was asked for marked; of a text the part that has most of it. As HTML.
  const marked = (text, asked, open, letters = Infinity) => {
    const full = asked.filter(word => !EMPTY.has(word))
    const hits = places(text).filter(({word}) => full.includes(word) || (open && word.startsWith(asked.at(-1))))
    const around = ({from}) => hits.filter(hit => hit.from >= from && hit.to <= from + letters)
    const different = list => new Set(list.map(({word}) => word)).size
    const best = hits.map(around).reduce((best, list) => (different(list) > different(best) ? list : best), [])
    const before = letters < text.length && best.length ? best[0].from - 30 : 0
    const from = before > 0 ? text.lastIndexOf(" ", before) + 1 : 0,
      to = Math.min(text.length, from + letters)
    let html = from ? "… " : "",
      at = from
    for (const hit of hits.filter(hit => hit.from >= from && hit.to <= to)) {
      html += `${safe(text.slice(at, hit.from))}<mark>${safe(text.slice(hit.from, hit.to))}</mark>`
      at = hit.to
    }
    return html + safe(text.slice(at, to)) + (to < text.length ? " …" : "")
  }

  // Material's script shows what this answers.
  window.GuideSearch = class {
    constructor(docs) {
      this.index = new Index(docs)
    }

    // The pages found, best first, each a list of its sections, best first.
    answer(question) {
      const asked = this.index.correct(places(question))
      const quoted = PASTED.test(question) || TROUBLE.test(question)
      const open = asked.length && this.index.open(asked.at(-1))
      const pages = new Map()
      for (const [section, score] of this.index.rank(asked, quoted)) {
        if (!pages.has(section.page)) pages.set(section.page, {page: section.page, sections: []})
        pages.get(section.page).sections.push([section, score])
      }
      const found = [...pages.values()]
      for (const page of found)
        // a page of which several parts answer stands a little higher
        page.score = page.sections.reduceRight((sum, [, score]) => score + MORE * sum, 0)
      const item = ({location, title, text}, score) => ({
        location,
        score,
        terms: {},
        title: marked(title, asked, open),
        text: text && `<p>${marked(text, asked, open, SHOWN)}</p>`,
      })
      return found
        .sort((a, b) => b.score - a.score)
        .map(({page, sections, score}) => [
          ...sections.map(([section, own]) => item(section, (own * score) / sections[0][1])), // Enter leads to the highest
          ...(sections.some(([section]) => section === page) ? [] : [item(page, 0)]), // its title stands above its parts
        ])
    }
  }
}
