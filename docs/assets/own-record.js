// A reader's own record on the page: bars for what was reached of each limit. Nothing is sent anywhere:
// the file is read by the browser, and what it says comes into the page as text. What judges it is fetched when a file is chosen.
{
  const place = document.querySelector(".own-record"),
    MOST = 4e6 // bytes of a file
  const home = document.currentScript.src.replace(/assets\/own-record\.js.*/, "")
  const element = (name, ...inside) => {
    const made = document.createElement(name)
    made.append(...inside)
    return made
  }
  const drawn = (name, given, ...inside) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name)
    for (const [key, value] of Object.entries(given)) made.setAttribute(key, value)
    made.append(...inside)
    return made
  }
  const load = path =>
    new Promise((done, failed) => {
      const script = element("script")
      Object.assign(script, {
        src: home + path,
        onload: done,
        onerror: () => failed(Error("The page's own files could not be read.")),
      })
      document.head.append(script)
    })
  let loaded
  const needed = () => (loaded ??= Promise.all(["made/own-record.js", "assets/judge-record.js"].map(load)))
  const time = value => {
    const [size, unit] = [
      [1, "s"],
      [1e-3, "ms"],
      [1e-6, "µs"],
    ].find(([size]) => value >= size) ?? [1e-9, "ns"]
    return `${Number((value / size).toPrecision(3))} ${unit}`
  }
  const percent = part => `${Math.round(100 * part)}%`
  const words = one => `${one.program}, ${one.size}`

  /** Bars: the outline is the limit, what is filled was reached. */
  function bars({name, date}, cases) {
    const high = 24,
      left = 420,
      wide = 300
    const rows = cases.map((one, n) =>
      drawn(
        "g",
        {transform: `translate(0 ${n * high})`},
        drawn("text", {x: left - 8, y: 15, "text-anchor": "end"}, words(one)),
        drawn("rect", {x: left, y: 4, width: wide, height: 14, class: "limit"}),
        drawn("rect", {x: left, y: 4, width: wide * Math.min(1, one.least / one.median), height: 14, class: "reached"}),
        drawn("text", {x: left + wide + 8, y: 15}, percent(one.least / one.median)),
      ),
    )
    return drawn(
      "svg",
      {
        viewBox: `0 0 ${left + wide + 60} ${cases.length * high + 4}`,
        role: "img",
        "aria-label": `The fraction of each limit that ${name} reached, ${date}; the table has the same numbers`,
      },
      ...rows,
    )
  }
  function table(judged) {
    const heads = ["Program and size", "Limit", "Measured", "Fraction of the limit"].map(text =>
      Object.assign(element("th", text), {scope: "col"}),
    )
    const rows = judged.good.map(one =>
      element(
        "tr",
        ...[words(one), `${time(one.least)} (${one.bound})`, time(one.median), percent(one.least / one.median)].map(
          text => element("td", text),
        ),
      ),
    )
    return element(
      "table",
      element("caption", `Your record of ${judged.name}, ${judged.date}`),
      element("thead", element("tr", ...heads)),
      element("tbody", ...rows),
    )
  }
  function show(judged) {
    said.textContent = `${judged.name}: ${judged.good.length} cases hold, ${judged.refused.length} refused.`
    const wrap = element("div", ...(judged.good.length ? [table(judged)] : []))
    wrap.className = "md-typeset__scrollwrap"
    out.replaceChildren(
      ...(judged.good.length ? [bars(judged, judged.good)] : []),
      wrap,
      ...(judged.refused.length
        ? [element("p", "Refused:"), element("ul", ...judged.refused.map(text => element("li", text)))]
        : []),
    )
  }
  async function read(file) {
    out.replaceChildren()
    if (!file) return (said.textContent = "")
    try {
      if (file.size > MOST) throw Error(`This file is larger than ${MOST / 1e6} MB, so it is not a record.`)
      const text = await file.text()
      await needed()
      let record
      try {
        record = JSON.parse(text)
      } catch {
        throw Error("This file is not JSON, so it is not a record of `guide measure`.")
      }
      show(judgeRecord(record, MEASURABLE))
    } catch (fault) {
      said.textContent = fault.message
    }
  }
  const field = element("input"),
    said = element("p"),
    out = element("div")
  Object.assign(field, {type: "file", accept: ".json,application/json"})
  field.addEventListener("change", () => read(field.files[0]))
  said.role = "status"
  place.replaceChildren(element("label", "Your record, ", element("code", "<device>.json"), " ", field), said, out)
  place.hidden = false
}
