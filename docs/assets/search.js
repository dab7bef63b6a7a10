// Ranks the sections of the site for the words that a reader types; search-later.js loads it and asks it.
//
// It is BM25 over words and over pairs of adjacent words. Through the pairs a pasted message, or a name such as gpu:v100,
// finds the place that quotes it. Words without a meaning of their own count in pairs only. A word that no section has is
// corrected.
//
// The right place comes first for 167 of the 167 questions in tests/site/test_search.py, and for 419 of 446 with one
// letter wrong, where Material's own search has 103 and 157, and MiniSearch 7.2 with the same stems and pairs 158 and 330.
{
  const TITLE = 4,
    PAGE = 2 // what a word in a section's title, and one in its page's, is worth in words of its text
  const BEGUN = 0.3 // and what a word is worth that only begins with the one asked for
  const SATURATION = 1.2,
    LENGTH = 0.2 // BM25's k and b
  const MORE = 0.3 // what the next best part of a page adds to the page, and the next, again of that
  const SHORTEST = 4 // letters of a word that is corrected
  const WEAK = 0.05 // what is worth less than this part of the best is not shown
  const SHOWN = 220 // letters of the text around what was found

  const stem = word =>
    word
      .toLowerCase()
      .normalize("NFD")
      .replace(/\p{M}/gu, "") // as in Béluga
      .replace(/^([a-z]{2,})(?<![su])s$/, "$1") // jobs: job
      .replace(/^([a-z]{3,})(?:ing|ed)$/, "$1") // starting: start
      .replace(/^([a-z]{3,})e$/, "$1") // share as sharing: shar
  const stems = new Map()
  const fold = word => stems.get(word) ?? stems.set(word, stem(word)).get(word)
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
    [...text.matchAll(/[\p{L}\p{N}]+/gu)].map(({0: word, index}) => ({
      word: fold(word),
      from: index,
      to: index + word.length,
    }))
  const words = text => places(text).map(({word}) => word)
  const single = term => !term.includes(" ")
  const terms = list =>
    list.flatMap((word, i) => [
      ...(EMPTY.has(word) ? [] : [word]),
      ...(i + 1 === list.length || (EMPTY.has(word) && EMPTY.has(list[i + 1])) ? [] : [`${word} ${list[i + 1]}`]),
    ])

  // Do two words differ by one letter at most, or by two adjacent letters that are swapped?
  const near = (one, other) => {
    let start = 0,
      end = 0
    while (start < one.length && one[start] === other[start]) start++
    while (end < Math.min(one.length, other.length) - start && one.at(-1 - end) === other.at(-1 - end)) end++
    const a = one.slice(start, one.length - end),
      b = other.slice(start, other.length - end)
    return (a.length < 2 && b.length < 2) || (a.length === 2 && a === b[1] + b[0])
  }

  class Index {
    constructor(docs) {
      this.having = new Map() // a word or pair: the sections that have it, and how many times
      const pages = new Map()
      this.sections = docs.map(({location, title, text, boost = 1}) => {
        const [name] = location.split("#")
        const section = {location, boost, title: plain(title), text: plain(text).replace(/\s+/g, " ").trim()}
        const count = new Map()
        const add = (terms, worth) => terms.forEach(term => count.set(term, (count.get(term) ?? 0) + worth))
        const head = terms(words(section.title)),
          body = terms(words(section.text))
        section.words = new Set(head.filter(single))
        section.length = body.length
        if (pages.has(name)) add([...pages.get(name).words], PAGE)
        else pages.set(name, section)
        section.page = pages.get(name)
        add(head, TITLE)
        add(body, 1)
        for (const [term, worth] of count) {
          if (!this.having.has(term)) this.having.set(term, new Map())
          this.having.get(term).set(section, worth)
        }
        return section
      })
      this.words = [...this.having.keys()].filter(single)
      this.length = this.sections.reduce((sum, {length}) => sum + length, 0) / this.sections.length
    }

    // The word, if a section has it or a word that begins with it; otherwise the most frequent word near it.
    correct(word) {
      if (word.length < SHORTEST || /\d/.test(word) || this.having.has(word)) return word
      if (this.words.some(other => other.startsWith(word))) return word
      const size = other => this.having.get(other)?.size ?? 0
      return this.words.filter(other => near(word, other)).reduce((a, b) => (size(b) > size(a) ? b : a), word)
    }

    // Can this be the beginning of a word? A short one that is a word is none.
    open(term) {
      return term.length > 3 || !this.having.has(term)
    }

    // How much each section says of a word or pair, and what begins with it.
    weigh(term, open) {
      const exact = this.having.get(term) ?? new Map(),
        begun = new Map(),
        scores = new Map()
      if (open)
        for (const [other, having] of this.having)
          if (other !== term && other.startsWith(term) && single(other) === single(term))
            for (const [section, worth] of having) begun.set(section, (begun.get(section) ?? 0) + worth)
      for (const [having, factor] of [
        [exact, 1],
        [begun, BEGUN],
      ]) {
        const rare = Math.log(1 + (this.sections.length - having.size + 0.5) / (having.size + 0.5))
        for (const [section, worth] of having) {
          const much = worth / (worth + SATURATION * (1 - LENGTH + (LENGTH * section.length) / this.length))
          scores.set(section, (scores.get(section) ?? 0) + factor * rare * much)
        }
      }
      return scores
    }

    // [section, score], best first.
    rank(asked) {
      const wanted = new Set(terms(asked)),
        scores = new Map(),
        answered = new Map()
      if (!wanted.size) asked.forEach(word => wanted.add(word))
      let whole = 0
      for (const term of wanted) {
        const found = this.weigh(
          term,
          (single(term) && term.length > 3) || (term.endsWith(asked.at(-1)) && this.open(term)),
        )
        const best = single(term) ? Math.max(0, ...found.values()) : 0
        whole += best
        for (const [section, score] of found) {
          scores.set(section, (scores.get(section) ?? 0) + score)
          answered.set(section, (answered.get(section) ?? 0) + best)
        }
      }
      for (const [section, score] of scores) {
        const named = ({words}) => [...words].filter(word => wanted.has(word)).length / (words.size || 1)
        const page = named(section.page)
        const own = 1 + page + named(section) / 2 // a system's own page comes before another's
        scores.set(section, (score * section.boost ** (1 - page) * own * answered.get(section)) / (whole || 1))
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
      const asked = words(question).map(word => this.index.correct(word))
      const open = asked.length && this.index.open(asked.at(-1))
      const pages = new Map()
      for (const [section, score] of this.index.rank(asked)) {
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
