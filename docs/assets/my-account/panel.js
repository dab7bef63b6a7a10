// The dialog of My account.
;(own => {
  const {make} = own
  const dialog = make("dialog", {className: "my-account-panel", "aria-labelledby": "my-account-title"})
  const choice = make("select", {id: "my-account-system"})
  for (const [key, {name}] of Object.entries(own.systems)) choice.append(make("option", {value: key}, name))
  const fields = make("div", {className: "my-account-fields"})
  const said = make("p", {className: "my-account-said", role: "status"})
  const save = make("button", {type: "submit", className: "md-button md-button--primary"}, "Save")
  const forget = make("button", {type: "button", className: "my-account-clear"}, "Clear all")
  const close = make("button", {type: "button", className: "md-button"}, "Close")
  const form = make(
    "form",
    {noValidate: true, autocomplete: "off"},
    make("h2", {id: "my-account-title"}, "My account"),
    make(
      "p",
      {},
      "We put these values into the scripts and commands of this guide. They are stored only in this browser, and " +
        "nothing is sent. Printed pages do not contain them, except scripts of the job script tool.",
    ),
    make("label", {htmlFor: choice.id}, "System"),
    choice,
    fields,
    said,
    make("div", {className: "my-account-buttons"}, save, forget, close),
  )
  dialog.append(form)
  document.body.append(dialog)

  let typed = {} // of each system, what is not saved yet: another one may be chosen before
  fields.addEventListener("input", ({target}) => ((typed[choice.value] ??= {})[target.name] = target.value))
  const shown = (key, name) => typed[key]?.[name] ?? own.values[key]?.[name] ?? ""

  /** [field, value, whether it fits], of a system. */
  const entries = key =>
    own.fields(key).map(field => {
      const value = shown(key, field.name).trim()
      return [field, value, !value || own.fits(field, value)]
    })

  function draw() {
    fields.replaceChildren()
    for (const field of own.fields(choice.value)) {
      const id = `my-account-${field.name}`
      const input = make("input", {
        id,
        name: field.name,
        type: "text",
        spellcheck: false,
        value: shown(choice.value, field.name),
        autocapitalize: "none",
        "aria-describedby": `${id}-wrong ${id}-rule`,
      })
      fields.append(
        make("label", {htmlFor: id}, field.label),
        input,
        make("p", {id: `${id}-wrong`, className: "my-account-wrong"}),
        make("p", {id: `${id}-rule`, className: "my-account-rule"}, `For example ${field.example}. ${field.rule}`),
      )
    }
  }
  const say = text => (said.textContent = text)
  const told = () => {
    const places = own.show()
    dispatchEvent(new Event("my-account"))
    if (globalThis.jobscriptPage) return "Saved. The script on this page contains them."
    return `Saved. ${places} ${places === 1 ? "place" : "places"} on this page changed.`
  }

  choice.addEventListener("change", () => {
    say("")
    draw()
  })
  form.addEventListener("submit", event => {
    event.preventDefault()
    const keys = [choice.value, ...Object.keys(typed)]
    const wrong = keys.find(key => entries(key).some(([, , fits]) => !fits))
    if (wrong && wrong !== choice.value) {
      choice.value = wrong
      draw()
    }
    for (const [field, , fits] of entries(choice.value)) {
      const input = form.elements[field.name]
      input.ariaInvalid = String(!fits)
      input.nextElementSibling.textContent = fits ? "" : `This cannot be the ${field.label.toLowerCase()}.`
    }
    if (wrong) {
      say("Nothing was saved.")
      fields.querySelector("[aria-invalid=true]").focus()
      return
    }
    for (const key of keys) {
      const values = entries(key).filter(([, value]) => value)
      if (values.length) own.values[key] = Object.fromEntries(values.map(([{name}, value]) => [name, value]))
      else delete own.values[key]
    }
    typed = {}
    const kept = own.keep()
    say(
      told() +
        (kept ? "" : " This browser does not store data for this site, so it is forgotten when you leave this page."),
    )
  })
  forget.addEventListener("click", () => {
    own.values = {}
    typed = {}
    own.keep()
    own.clear()
    dispatchEvent(new Event("my-account"))
    draw()
    say("Cleared for all systems.")
  })
  close.addEventListener("click", () => dialog.close())

  own.open = () => {
    const {mode, cluster, to} = globalThis.jobscriptPage?.state ?? {}
    choice.value = own.ofPage() ?? (mode === "move" ? to : cluster) ?? Object.keys(own.values)[0] ?? choice.value
    say("")
    typed = {}
    draw()
    dialog.showModal()
  }
})(globalThis.myAccount)
