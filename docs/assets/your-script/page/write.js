// The form, and the script that it writes. A control offers only what can be had there.
;(page => {
  const {element, labelled} = page
  page.modes ??= {}

  page.modes.write = {
    async show(system, current) {
      const {state} = page
      page.share.hidden = false
      if (state.arrived) { // by a link: the address says what the form holds
        const {fields, reason} = jobscript.fieldsOf(state.form)
        Object.assign(state, {fields: fields ?? {}, arrived: false, wrong: reason})
      }
      const given = {...state.fields, cluster: system.key}
      form(system, jobscript.choices(system, given))
      page.main.replaceChildren(page.script, page.verdict.root)
      const made = jobscript.write(system, given)
      if (made.script) {
        const edited = state.script && state.script !== state.written
        state.script = edited ? jobscript.rewrite(system, given, state.written, state.script) : made.script
        state.written = made.script
      }
      Object.assign(state, {file: "job.sh"})
      page.name.textContent = state.file
      page.editor.show(page.plain(state.script))
      state.edited = async () => {
        await page.part("rules") // the form's own lines need no advice
        if (current()) page.judge(system)
      }
      await page.part("verdict")
      if (!current()) return
      if (made.script) page.judge(system, costs(system, given))
      else page.verdict.say(made.reason)
    },
  }

  const costs = (system, fields) => {
    const cost = jobscript.cost?.(system, fields)
    return cost ? page.words(cost) : []
  }

  function form(system, choices) {
    const {side, state} = page
    const at = document.activeElement?.name
    const controls = choices.filter(({name}) => name !== "cluster").map(field => control(field))
    side.replaceChildren(element("form", {ariaLabel: "What the job needs"},
      ...page.systemChoice("System", system.key, page.systems.filter(({running}) => running),
        cluster => page.go({cluster, fields: {...state.fields}})),
      ...controls))
    if (at) side.querySelector(`[name="${CSS.escape(at)}"]`)?.focus()
  }

  function control({name, label, values, value}) {
    const made = element("select", {name}), {state} = page
    for (const each of values) made.append(element("option", {
      value: each.value, disabled: !each.possible,
    }, each.possible ? each.label : `${each.label} – not here`))
    made.value = value ?? state.fields[name] ?? values[0]?.value ?? ""
    made.addEventListener("change", () => page.go({fields: {...state.fields, [name]: made.value}}))
    const cannot = values.filter(({possible}) => !possible)
    const why = cannot.length ? element("details.own-hint", {},
      element("summary", {}, `Why not ${cannot.map(({label}) => label).join(", ")}?`),
      element("ul", {}, ...cannot.map(({label, reason, nearest}) => element("li", {}, `${label}: `,
        ...page.words(reason), nearest ? ` Nearest: ${nearest}.` : "")))) : null
    return element("div", {}, ...labelled(label, made), why)
  }
})(globalThis.jobscriptPage ??= {})
