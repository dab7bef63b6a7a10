// The edits of directives, of the first line and of the file, by the name of the rule.
;(jobscript => {
  const editors = jobscript.editors ??= {}
  const DASH = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"
  const dashes = name => name.length > 1 ? `--${name}` : `-${name}`
  const swap = (pattern, by) => bench => bench.swap(pattern, by)
  const value = change => bench => bench.value(change(bench.option?.value ?? "", bench))
  const out = ({words}) => words("")
  const two = number => String(number).padStart(2, "0")
  const both = (names, editor) => names.split(" ").forEach(name => editors[name] = editor)

  // --- the file and its first line
  const shebang = words => ({lines}) => lines.with(0, words)
  both("windows-line-ends", ({text}) => text.replaceAll("\r\n", "\n").split("\n"))
  both("byte-order-mark byte-order-mark-grid-engine", ({lines}) =>
    lines.with(0, lines[0].replace(/^\ufeff+/, "")))
  both("null-character", ({lines}) => lines.map(line => line.replaceAll("\0", "")))
  both("blank-before-shebang blank-before-shebang-grid-engine", ({lines}) => lines.with(0, lines[0].trimStart()))
  both("shebang-misspelt shebang-not-absolute", shebang("#!/bin/bash"))
  both("env-with-two-words", ({lines}) =>
    lines.with(0, lines[0].replace(/^#!\s*\S*\/env\s+(bash|sh)\s+/, "#!/bin/$1 ")))
  both("bash-under-python bash-under-csh", shebang("#!/bin/bash -l"))
  both("no-shebang no-shebang-grid-engine", ({lines, insert, kind}) => {
    if (/^(#|!)\/\S*sh\b/.test(lines[0])) return lines.with(0, `#!${lines[0].slice(1)}`)
    if (/^##!/.test(lines[0])) return lines.with(0, lines[0].slice(1))
    const there = lines.findIndex(line => line.startsWith("#!/"))
    const above = lines.slice(0, Math.max(there, 0))
    if (there > 0 && above.every(line => !line.trim())) return lines.slice(there)
    if (there > 0) return [lines[there], ...lines.toSpliced(there, 1)]
    return insert(0, kind === "slurm" ? "#!/bin/bash" : "#!/bin/bash -l")
  })

  // --- the prefix
  both("blank-after-hash prefix-misspelt", swap(/^\s*#[^A-Za-z]*[A-Za-z_-]+:?[\s\u00a0]*(?=-|[a-z-]+=)/, "#SBATCH "))
  both("directive-indented", swap(/^[\s\u00a0\u200b]+#SBATCH/, "#SBATCH"))
  both("hash-missing", swap(/^\W{0,2}s?batch:?\s+/i, "#SBATCH "))
  both("colon-behind-prefix", swap(/^#SBATCH\s*:\s*/, "#SBATCH "))
  both("letters-behind-prefix", swap(/^#SBATCH[^\s-]*\s*/, "#SBATCH "))
  both("directive-empty grid-engine-directive-empty", bench => bench.out())
  both("two-directives-on-a-line", swap(/\s#+\s*SBATCH\s+(?=-)/, " "))
  both("directive-below-command", bench => {
    const place = Math.max(1, ...bench.live())
    return bench.at < place ? null : bench.lines.toSpliced(bench.at, 1).toSpliced(place, 0, bench.line)
  })
  both("backslash-at-the-end", ({lines, at, line}) => {
    const next = lines[at + 1] ?? ""
    const now = lines.with(at, line.replace(/\s*\\\s*$/, ""))
    return /^\s*--?[A-Za-z]/.test(next) ? now.with(at + 1, `#SBATCH ${next.trim()}`) : now
  })
  both("grid-engine-directive-indented grid-engine-blank-after-hash", swap(/^\s*#[\s\u00a0]*\$\s*/, "#$ "))
  both("grid-engine-prefix-misspelt", swap(/^\s*[^\s]+?\s*(?=-[A-Za-z])/, "#$ "))
  both("grid-engine-hash-missing", swap(/^\$#?\s*/, "#$ "))

  // --- dashes, blanks, quotes
  const LONG = {err: "error", out: "output", jobname: "job-name", cpus: "cpus-per-task"}
  both("one-dash-taken one-dash-refused", bench => bench.swap(/\s-([a-z][a-z-]+)(?=[=\s]|$)/, (_, name) =>
    ` --${LONG[name] ?? name}`))
  both("dashes-missing", swap(/^#SBATCH\s+/, "#SBATCH --"))
  both("blank-after-equals", bench => bench.to(bench.line.replace(/(--[\w-]+)\s*=\s+/g, "$1=").replace(/(\s-[A-Za-z])\s*=\s+/g, "$1 ")))
  both("typographic-dash", bench => bench.swap(new RegExp(`[\\s\\u00a0]-?[${DASH}]+-?([\\w-]+)`, "g"),
    (_, name) => ` ${dashes(name)}`))
  both("grid-engine-typographic-dash", bench => bench.swap(/\u00a0/g, " ")
    ?? bench.swap(new RegExp(`^#\\$\\s*[${DASH}]+`), "#$ -"))
  const INVISIBLE = /[\u200b\u00ad\ufeff]/g, SPACE = /[\u00a0\u202f]/g
  const QUOTES = /[\u2018\u2019\u201a\u201c\u201d\u201e\u00ab\u00bb]/g
  const plain = text => text.replace(INVISIBLE, "").replace(SPACE, " ").trim().replace(QUOTES, "")
    .replace(new RegExp(`[${DASH}]`, "g"), "-")
  both("typographic-sign-kept typographic-sign-refused grid-engine-typographic-sign", value(plain))
  both("hash-inside-a-value", swap(/(?<==)([^\s"'\\]*[^\s"'\\]#\S*)/, '"$1"'))
  both("quote-not-closed", bench => {
    const quote = /["']/.exec(bench.line)[0]
    return [bench.to(bench.line + quote), bench.to(bench.line.replace(quote, ""))]
  })
  both("comma-between-options comma-behind-a-number", bench =>
    bench.to(bench.line.replace(/[,;]\s*$/, "").replace(/[,;](?=\s|--)\s*/g, " ")))
  both("stray-word", bench => bench.swap(/(--(?:job-name|comment)=)([^\s"'#-][^"'#-]*\s[^"'#-]*?)(?=\s+-|\s*$)/, '$1"$2"'))
  both("short-option-with-equals short-option-with-equals-refused", ({words, option}) =>
    option && words(option.written.replace(/^(-\w)=/, "$1 ").replace(/^(--[\w-]+)[\s=]+=/, "$1=")))
  both("grid-engine-dash-missing", swap(/^#\$\s*(?=[A-Za-z])/, "#$ -"))
  both("grid-engine-two-dashes", swap(/(^#\$\s*|\s)--(?=\w)/g, "$1-"))
  both("grid-engine-equals", swap(/(\s|^#\$)(-(?:N|o|e|t|tc|q|m|M|S|P|j|wd|hold_jid|pe))=/g, "$1$2 "))
  both("grid-engine-blank-in-resources", bench => bench.swap(/-l\s+.*/, rest =>
    `-l ${rest.slice(2).trim().replace(/\s*=\s*/g, "=").replace(/\s*,\s*/g, ",")
      .replace(/^(h_rt|h_vmem)\s+(?=\d)/, "$1=").replace(/\s+(?=\w+=)/g, ",")}`))
  both("grid-engine-blank-before-unit", swap(/(=\d+)\s+([KkMmGgTt])[Bb]?(?=\s|$)/, "$1$2"))

  // --- options
  const ALIAS = {walltime: "time", queue: "partition", project: "account", name: "job-name", cores: "cpus-per-task",
    threads: "cpus-per-task", "cpu-per-task": "cpus-per-task", stdout: "output", stderr: "error", email: "mail-user",
    "node-list": "nodelist", memory: "mem", gpu: "gpus"}
  both("unknown-option", bench => {
    const name = /^--([\w-]+)/.exec(bench.option?.written ?? "")?.[1]
    const known = jobscript.data.options.takes
    const near = name && (ALIAS[name] ?? jobscript.closest(name, Object.values(known).join(" ").split(" ")))
    return near && bench.swap(new RegExp(`--${name}(?=[=\\s]|$)`), `--${near}`)
  })
  both("said-twice grid-engine-said-twice for-operators nice-below-zero value-missing only-prints test-only-left-in",
    bench => bench.option ? bench.words("") : bench.swap(OUT[bench.finding.rule], ""))
  const OUT = {
    "value-missing": /\s--[\w-]+=(""|'')?(?=\s|$)/, "only-prints": /\s(--(help|usage|version)\b|-[Vh](?=\s|$))/,
    "test-only-left-in": /\s--test-only\b/,
  }
  for (const rule of ["value-missing", "only-prints", "test-only-left-in"]) {
    const editor = editors[rule]
    editors[rule] = bench => {
      const lines = editor(bench)
      return lines?.[bench.at]?.trim() === "#SBATCH" ? lines.toSpliced(bench.at, 1) : lines
    }
  }
  both("no-gpus no-nodes tasks-per-node-over-tasks grid-engine-error-joined", out)
  both("grid-engine-only-verified", bench => {
    const lines = bench.swap(/\s-(verify|w\s+[vp])\b/, "")
    return lines?.[bench.at].trim() === "#$" ? bench.out() : lines
  })
  both("cores-is-cores-per-socket", swap(/--cores(?==|\s)/, "--cpus-per-task"))
  both("exclusive-form", bench => /^(yes|true|1|on)$/i.test(bench.option?.value) ? bench.words("--exclusive") : null)
  both("gpus-per-task-alone", bench => bench.directive("--ntasks=1"))
  both("gpus-per-task-on-a-node", bench => bench.directive("--nodes=1"))
  both("mail-user-alone", bench => bench.directive("--mail-type=END,FAIL"))
  both("grid-engine-mail-alone", bench => bench.directive("-m be"))
  both("grid-engine-starts-at-home", bench => bench.directive("-cwd"))
  both("more-nodes-than-tasks", bench => bench.value(bench.options.findLast(({name}) => name === "ntasks")?.value))

  // --- values
  both("array-form", value(text => text.replace(/^\{?(\d+)\.\.(\d+)\}?$/, "$1-$2").replace(/^(\d+-\d+)\/(\d+)$/, "$1:$2")
    .replace(/^(\d+-\d+):(%\d+)$/, "$1$2").replace(/[,;]$/, "").replace(/\s+/g, "")))
  both("array-colon-for-dash", value(text => text.replace(":", "-")))
  both("array-extra-zero", value(text => text.replace(/,+(?=%|,|$)/g, "")))
  both("array-limit-zero", value(text => text.replace(/%0+$/, "")))
  both("array-one-output", value(text => /%A/.test(text) ? text.replace("%A", "%A_%a")
    : text.replace(/(\.\w+)?$/, "-%A_%a$1")))
  both("array-sign-without-array", value(text => text.replace(/%\d*A([_-]%\d*a)?|%\d*a/g, "%j")))
  both("export-without-all", value(text => `ALL,${text}`))
  both("signal-not-to-the-shell", value(text => `B:${text}`))
  both("signal-form", value(text => text.replace(/@(\d+)m(in)?$/, (_, minutes) => `@${minutes * 60}`)
    .replace(/@(\d+)s$/, "@$1").replace(/@(\d+):(\d+):(\d+)$/, (_, h, m, s) => `@${h * 3600 + m * 60 + +s}`)))
  both("dependency-form", value(text => text.toLowerCase().replace(/_|-/g, "").replace(/=/g, ":")
    .replace(/^afterokay|^onsuccess|^ok(?=:)/, "afterok").replace(/:(?=after)/g, ",")))
  const SIGNS = {SLURM_JOB_ID: "%j", SLURM_JOBID: "%j", SLURM_JOB_NAME: "%x", SLURM_ARRAY_TASK_ID: "%a",
    SLURM_ARRAY_JOB_ID: "%A", USER: "%u", JOB_ID: "%j", JOB_NAME: "%x"}
  both("variable-in-directive", bench => ["output", "error"].includes(bench.option?.name)
    ? bench.value(bench.option.value.replace(/\$\{?(\w+)\}?/g, (whole, name) => SIGNS[name] ?? whole)) : null)
  const LETTER = word => ({x: "%x", a: "%a", A: "%A", j: "%j", u: "%u", N: "%N"})[word]
    ?? (/name/i.test(word) && /job/i.test(word) ? "%x" : /user/.test(word) ? "%u" : /task|array/.test(word) ? "%a"
      : /node|host/.test(word) ? "%N" : /job/i.test(word) ? "%j" : null)
  both("output-sign-too-long", value(text => text.replace(/%([A-Za-z_-]+?)(?=[.%]|-%|_%|$)/g, (whole, word) =>
    LETTER(word) ?? whole)))
  both("output-in-braces", value(text => text.replace(/%?[{([](\w+)[})\]]/g, (whole, word) => LETTER(word) ?? whole)))
  both("output-is-a-folder", value(text => `${text.replace(/\/$/, "")}/%x-%j.out`))
  both("output-backslash", swap(/\\/g, "/"))
  both("job-name-with-slash", bench => bench.swap(/((?:--job-name[= ]|-J\s*))(\S+)/, (_, option, name) =>
    option + name.replaceAll("/", "-")))
  const MAIL = {finish: "END", finished: "END", done: "END", complete: "END", completed: "END", ends: "END",
    error: "FAIL", abort: "FAIL", failed: "FAIL", failure: "FAIL", start: "BEGIN", started: "BEGIN", a: "FAIL",
    e: "END", b: "BEGIN", abe: "ALL", bea: "ALL", be: "BEGIN,END"}
  const mail = text => [...new Set(text.split(",").map(word => MAIL[word.toLowerCase()] ?? word))].join(",")
  both("mail-type-unknown mail-type-partly-unknown", value(mail))
  both("mail-type-separator", value(text => text.split(/\s*[|;:+/]\s*/).join(",")))
  both("mail-address", value(text => text.replace(/^mailto:/, "").replace(/^<(.*)>$/, "$1")
    .replace(/\s*(\(at\)|\[at\]|_at_)\s*/, "@")))
  both("open-mode", value(text => /^(w|write|overwrite|trunc\w*|new)$/i.test(text) ? "truncate"
    : /^(app\w*|add|a\+)$/i.test(text) ? "append" : null))
  const GRES = [
    [/^gpus?[,=.*/_x-]\s*(\d+)$/, "gpu:$1"], [/^gpus?[,=]([A-Za-z]\w*)[:=](\d+)$/, "gpu:$1:$2"],
    [/^gpu:([\w.-]+)[,=](\d+)$/, "gpu:$1:$2"], [/^gpu:(\d+):([A-Za-z]\w*)$/, "gpu:$2:$1"], [/^gpus:(.+)$/, "gpu:$1"],
    [/^(\d+)$/, "gpu:$1"], [/^(\d+):gpus?$/, "gpu:$1"], [/^(gpu:\w+:\d+)[.;]$/, "$1"], [/^gpu(\d+)$/, "gpu:$1"],
    [/^G[PU]*[A-Z]*:(.*)$/, "gpu:$1"], [/^([a-z]+\d+\w*):(\d+)$/, "gpu:$1:$2"],
  ]
  const first = (text, list) => {
    const [pattern, by] = list.find(([pattern]) => pattern.test(text)) ?? []
    return pattern ? text.replace(pattern, by) : null
  }
  both("gres-form", value(text => first(text, GRES)))
  both("gpus-of-type-gpu", value(text => first(text, [[/^gpus?[:=](.+)$/, "$1"], [/^gpus?$/, "1"]])))
  both("gpus-form", value(text => first(text, [[/^(\d+)[:,]([A-Za-z]\w*)$/, "$2:$1"],
    [/^([A-Za-z][\w.-]*),(\d+)$/, "$1:$2"], [/^(?:gres:)?gpu:(\w+:\d+)$/, "$1"]])))
  const UNTYPED = /^(gpu(:\d+)?|\d+)$/
  both("gpu-model-once", ({options, words}) => {
    const option = options.findLast(({name, value}) => /^(gres|gpus|gpus-per-node)$/.test(name) && UNTYPED.test(value))
    return option ? words("", option) : null
  })
  both("gpus-per-task-without-number", value(text => `${text}:1`))
  both("gpus-type-for-number", value(text => first(text, [[/^([A-Za-z][\w.]*)[=-](\d+)$/, "$1:$2"]])))
  // A unit that stands behind a blank says what is meant, and it is not known to be that.
  const unitBehind = ({line, option}) =>
    /^\s*[KMGT](i?B)?(?!\S)/i.test(line.slice(option?.pieces.at(-1)[2] ?? line.length))
  both("memory-in-megabytes memory-in-megabytes-a-core", bench =>
    unitBehind(bench) ? null : value(text => `${text}G`)(bench))
  both("memory-form", value(text => {
    const parts = /^(\d+)(?:\.(\d+))?\s*([KMGT])i?b?$/i.exec(text)
    if (!parts) return null
    const [, whole, part, unit] = parts, size = unit.toUpperCase()
    if (!part || !Number(part)) return whole + size
    const smaller = {G: "M", T: "G", M: "K"}[size]
    return smaller ? `${Math.round(Number(`${whole}.${part}`) * 1024)}${smaller}` : null
  }))
  const clock = seconds => {
    const days = Math.floor(seconds / 86400), rest = seconds % 86400
    const time = [rest / 3600, rest / 60 % 60, rest % 60].map(part => two(Math.floor(part))).join(":")
    return days ? `${days}-${time}` : time
  }
  const UNIT = {s: 1, m: 60, h: 3600, d: 86400}
  both("time-form", value(text => {
    const parts = /^(\d+)\s*(s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?)$/i.exec(text)
    return parts ? clock(parts[1] * UNIT[parts[2][0].toLowerCase()])
      : /^\d+[.,]\d+$/.test(text) ? null : /^(\d+)\.(\d\d)\.(\d\d)$/.test(text) ? text.replaceAll(".", ":") : null
  }))
  both("time-parts-too-large", value(text => {
    const [days, rest] = text.includes("-") ? text.split("-") : [0, text]
    const [hours, minutes = 0, seconds = 0] = rest.split(":").map(Number)
    return clock(days * 86400 + hours * 3600 + minutes * 60 + seconds)
  }))
  const NUMBER = {one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8}
  both("whole-number nodes-form", value(text => NUMBER[text.toLowerCase()]?.toString()
    ?? (/^\d+\.0+$/.test(text) ? text.split(".")[0] : null)))

  // --- Grid Engine's values
  both("grid-engine-time-form", value(text => text.replace(/([hs]_rt=)(\d+)([hmd])\b/, (_, name, number, unit) =>
    `${name}${hours(number * UNIT[unit])}`).replace(/([hs]_rt=)(\d+)-(\d+):(\d+):(\d+)/, (_, name, d, h, m, s) =>
    `${name}${hours(d * 86400 + h * 3600 + m * 60 + +s)}`)))
  const hours = seconds => [seconds / 3600, seconds / 60 % 60, seconds % 60].map(part => two(Math.floor(part))).join(":")
  both("grid-engine-memory-form", value(text => text.replace(/((?:vmem|free)=\d+(?:\.\d+)?)([KMGT])i?b(?=,|$)/gi, "$1$2")))
  both("grid-engine-memory-in-bytes", value(text => text.replace(/((?:vmem|free)=\d{1,3})(?=,|$)/, "$1G")))
  both("grid-engine-slots-missing", swap(/-pe[\s=]+(\d+)\s+([A-Za-z]\S*)/, "-pe $2 $1"))
  both("grid-engine-name", bench => bench.swap(/-N\s+["']?(\S+)/, (_, name) =>
    `-N ${/^\d/.test(name) ? `job-${name}` : name.replace(/[/:@\\*?"']/g, "-")}`))
  both("grid-engine-percent", value(text => text.replace(/%A_%a/g, "$JOB_ID.$TASK_ID").replace(/%[jA]/g, "$JOB_ID")
    .replace(/%x/g, "$JOB_NAME").replace(/%a/g, "$TASK_ID").replace(/%u/g, "$USER").replace(/%N/g, "$HOSTNAME")))
  both("grid-engine-tasks-form", bench => {
    const text = bench.option?.value ?? ""
    const limit = /^(\d+-\d+)%(\d+)$/.exec(text)
    if (limit) return bench.words(`-t ${limit[1]} -tc ${limit[2]}`)
    return bench.value(first(text, [[/^(\d+)\.\.(\d+)$/, "$1-$2"], [/^([1-9]\d*):(\d+)$/, "$1-$2"]]))
  })
  both("grid-engine-mail-form", value(text => /^END,FAIL$/i.test(text) ? "ea" : /^END$/i.test(text) ? "e" : /^ALL$/i.test(text) ? "bea"
    : /^BEGIN$/i.test(text) ? "b" : /^FAIL$/i.test(text) ? "a" : null))
  both("grid-engine-join", swap(/-j(\s+(oe|eo|true|join|on)\b)?(?=\s|$)/, "-j y"))
  both("grid-engine-shell", value(() => "/bin/bash"))
  both("value-form", bench => bench.option?.name === "j" ? bench.value("y") : null)

  // --- what the scheduler refuses
  const LONGEST = ({partitions, grid_engine}) => grid_engine
    ? Object.values(grid_engine.queues).map(({seconds}) => seconds / 60)
    : Object.values(partitions).map(({max_time}) => max_time)
  const times = system => [...new Set(LONGEST(system).filter(Boolean))].sort((one, other) => other - one)
  const inTime = ({system, options, value}) => {
    const time = options.findLast(({name}) => name === "time")
    if (system.kind !== "slurm" || !/^[\d:-]+$/.test(time?.value ?? "")) return []
    return times(system).map(minutes => value(clock(minutes * 60), time))
  }
  const inHours = ({system, option, value}) => times(system).map(minutes =>
    value(option.value.replace(/h_rt=[^,]*/, `h_rt=${hours(minutes * 60)}`)))
  const several = editor => bench => editor(bench).filter(Boolean).slice(0, MOST)
  const MOST = 16 // edits that are tried
  both("time-over-partition time-over-qos", several(bench => (bench.system.grid_engine ? inHours : inTime)(bench)))
  both("no-account", ({finding, directive}) => {
    const [own] = /--account=[\w-]+/.exec(finding.cure) ?? []
    return own ? directive(own) : null
  })
  both("no-nodes", ({finding, directive}) => directive(/--nodes=\d+/.exec(finding.cure)[0]))
  both("no-time", ({kind, directive}) => directive(kind === "slurm" ? "--time=01:00:00" : "-l h_rt=01:00:00"))
  both("no-partition", several(({system, directive}) =>
    Object.keys(system.partitions).map(name => directive(`--partition=${name}`))))
  const wantsGpu = options => options.some(({name, value}) =>
    /^gpus/.test(name) || name === "gres" && /\bgpu\b/.test(value ?? ""))
  const hasGpu = ({nodes, partitions, why}, name) => Object.keys(partitions).some(key =>
    (why.partitions[key]?.called ?? key) === name &&
    Object.keys(partitions[key].nodes).some(type => nodes[type].gres.some(([gres]) => gres === "gpu")))
  both("unknown-partition", several(({finding: {cure}, system, options, value}) => {
    const option = options.findLast(({name}) => name === "partition")
    const [, near] = /^Did you mean `([^`]+)`/.exec(cure) ?? []
    return near && (!wantsGpu(options) || hasGpu(system, near)) ? [value(near, option)] : []
  }))
  both("no-gpu-model gpu-elsewhere", several(({system, options, value}) => {
    if (system.kind !== "slurm") return []
    const types = Object.values(system.nodes).flatMap(({gres}) => gres.map(([, type]) => type)).filter(Boolean)
    return ["gres", "gpus", "gpus-per-node"].map(name => {
      const option = options.findLast(each => each.name === name)
      const [, gpu, type, number] = /^(gpu:)?(?:([A-Za-z][\w.-]*):)?(\d+)$/.exec(option?.value ?? "") ?? []
      const begin = /^[a-z]*/.exec((type ?? "").toLowerCase())[0]
      const kin = types.filter(each => each.startsWith(begin))
      const near = type ? jobscript.closest(type.toLowerCase(), kin) : new Set(types).size === 1 ? types[0] : null
      return number && near ? value(`${gpu ?? ""}${near}:${number}`, option) : null
    })
  }))
  both("unknown-resource", bench => {
    const [wrong, near] = [/^`([^`]+)`/.exec(bench.finding.what)?.[1], /mean (\w+)/.exec(bench.finding.cure)?.[1]]
    return wrong && near ? bench.value(bench.option.value.replace(wrong, () => near)) : null
  })
  // Where the scheduler's words name no cure, those of what they speak of are tried.
  const SPOKEN = [[/time/i, "time-over-partition"], [/partition/i, "unknown-partition"],
    [/gpu|gres|node configuration/i, "gpu-elsewhere"]]
  both("scheduler", bench => SPOKEN.filter(([words]) => words.test(bench.finding.what))
    .flatMap(([, rule]) => editors[rule](bench) ?? []))
})(globalThis.jobscript ??= {})
