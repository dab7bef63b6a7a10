// The values of My account: which may stand, and where they are kept: in this browser, nowhere else.
;(own => {
  const LONGEST = 200
  const WORD = "Use letters, digits, and the characters _ . - only."
  const literal = text => text.replace(/[\\^$.|?+()[\]{}]/g, "\\$&")
  const form = text => literal(text).replace(/#/g, "[0-9]").replace(/\*/g, "[A-Za-z0-9_-]+")

  const ruleOf = forms =>
    forms.every(each => each.endsWith("*"))
      ? `It begins with ${forms.map(each => each.slice(0, -1)).join(", ")}.`
      : "Use the form of the example, with your own digits."

  /**
   * The fields of a system: what each is called, its example, and what may stand there.
   * No sign that a shell reads is among those, and no value begins with a dash.
   */
  own.fields = key => {
    const {account, forms, environment} = own.systems[key]
    const found = []
    if (account)
      found.push({
        name: "account",
        label: "Project or account",
        example: account,
        pattern: forms.length ? forms.map(form).join("|") : "[A-Za-z0-9_][A-Za-z0-9_.-]*",
        rule: forms.length ? ruleOf(forms) : WORD,
      })
    found.push({
      name: "user",
      label: "User name",
      example: "jdoe",
      pattern: "[A-Za-z0-9_][A-Za-z0-9_.-]*",
      rule: WORD,
    })
    if (environment)
      found.push({
        name: "environment",
        label: "Directory of your environment",
        example: environment,
        pattern: "(?:\\$HOME)?/[A-Za-z0-9_.][A-Za-z0-9_./-]*",
        rule: "Enter a full path that begins with / or $HOME/, of letters, digits, and the characters _ . - / only.",
      })
    return found
  }
  own.fits = (field, value) =>
    value.length <= LONGEST && RegExp(`^(?:${field.pattern})$`).test(value) && !value.includes("..")

  /** Only what fits: another page of this place may have written there. */
  function checked(given) {
    const found = {}
    for (const key of Object.keys(own.systems)) {
      const values = {}
      for (const field of own.fields(key)) {
        const value = given?.[key]?.[field.name]
        if (typeof value === "string" && own.fits(field, value)) values[field.name] = value
      }
      if (Object.keys(values).length) found[key] = values
    }
    return found
  }
  function stored() {
    try {
      return JSON.parse(localStorage.getItem(own.key))
    } catch {
      return null
    }
  }
  own.values = checked(stored())
  // Another tab may change them, also while the browser keeps this page for its Back button.
  for (const name of ["storage", "pageshow"])
    addEventListener(name, ({key, persisted}) => {
      if (!persisted && key !== own.key && key !== null) return
      own.values = checked(stored())
      own.show()
      dispatchEvent(new Event("my-account"))
    })
  own.keep = () => {
    try {
      if (Object.keys(own.values).length) localStorage.setItem(own.key, JSON.stringify(own.values))
      else localStorage.removeItem(own.key)
      return true
    } catch {
      return false // then they are known until this page is left
    }
  }
})(globalThis.myAccount)
