// The dialog of My account.
;(own => {
  const {make} = own
  const dialog = make("dialog", {className: "my-account-panel", "aria-labelledby": "my-account-title"})
  const choice = make("select", {id: "my-account-system"})
  for (const [key, {name}] of Object.entries(own.systems)) choice.append(make("option", {value: key}, name))
  const fields = make("div", {className: "my-account-fields"})
  const said = make("p", {className: "my-account-said", role: "status"})
  const save = make("button", {type: "submit", className: "md-button md-button--primary"}, "Fill in")
  const forget = make("button", {type: "button", className: "md-button"}, "Forget all")
  const close = make("button", {type: "button", className: "md-button"}, "Close")
  const form = make(
    "form",
    {noValidate: true, autocomplete: "off"},
    make("h2", {id: "my-account-title"}, "My account"),
    make(
      "p",
      {},
      "Scripts and commands of this guide then have your values in them: here, when you copy, when you download. " +
        "They stay in this browser; nothing is sent. What you print, and the PDF, stay as they are.",
    ),
    make("label", {htmlFor: choice.id}, "System"),
    choice,
    fields,
    said,
    make("div", {className: "my-account-buttons"}, save, forget, close),
  )
  dialog.append(form)
  document.body.append(dialog)

  function draw() {
    fields.replaceChildren()
    for (const field of own.fields(choice.value)) {
      const id = `my-account-${field.name}`
      const input = make("input", {
        id,
        name: field.name,
        type: "text",
        spellcheck: false,
        value: own.values[choice.value]?.[field.name] ?? "",
        autocapitalize: "none",
        "aria-describedby": `${id}-rule`,
      })
      fields.append(
        make("label", {htmlFor: id}, field.label),
        input,
        make("p", {id: `${id}-rule`, className: "my-account-rule"}, `For example ${field.example}. ${field.rule}`),
      )
    }
  }
  const say = text => (said.textContent = text)
  const told = () => {
    const places = own.show()
    dispatchEvent(new Event("my-account"))
    if (globalThis.jobscriptPage) return "Scripts that you copy or download here have them."
    return `Filled in at ${places} ${places === 1 ? "place" : "places"} of this page.`
  }

  choice.addEventListener("change", () => {
    say("")
    draw()
  })
  form.addEventListener("submit", event => {
    event.preventDefault()
    const wrong = [],
      values = {}
    for (const field of own.fields(choice.value)) {
      const input = form.elements[field.name],
        value = input.value.trim()
      const bad = value && !own.fits(field, value)
      input.ariaInvalid = String(Boolean(bad))
      if (bad) wrong.push([input, field])
      else if (value) values[field.name] = value
    }
    if (wrong.length) {
      say(`${wrong[0][1].label}: this is not taken. ${wrong[0][1].rule}`)
      wrong[0][0].focus()
      return
    }
    own.values[choice.value] = values
    if (!Object.keys(values).length) delete own.values[choice.value]
    const kept = own.keep()
    say(told() + (kept ? "" : " This browser keeps nothing for pages here: it is forgotten when you leave this page."))
  })
  forget.addEventListener("click", () => {
    own.values = {}
    own.keep()
    own.clear()
    dispatchEvent(new Event("my-account"))
    draw()
    say("Forgotten, for all systems.")
  })
  close.addEventListener("click", () => dialog.close())

  own.open = () => {
    const {mode, cluster, to} = globalThis.jobscriptPage?.state ?? {}
    choice.value = own.ofPage() ?? (mode === "move" ? to : cluster) ?? Object.keys(own.values)[0] ?? choice.value
    say("")
    draw()
    dialog.showModal()
  }
})(globalThis.myAccount)
