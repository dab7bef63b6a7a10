// Data: what is deleted, overwritten, read from an empty file, or resumed from the wrong one.
import {COPIES, base, payload, program} from "../script/payload.js"
import {nearest} from "../script/text.js"
import {expander} from "../script/variables.js"
import {readScript} from "../script/read.js"
import {readsAnother, set, works} from "./shell.js"
import {differs, varying} from "./work.js"

export const OUTPUT =
  /^--?(?:o|out|output|save|write|log|logs|log[-_]?dir|chains?|samples|dump|traj\w*|model[-_]?(?:dir|out|path)|export\w*|dest\w*|store|report|results?\w*|(?:out|output|save|results?|checkpoint|ckpt|chk|restart|run|exp)[-_]?(?:dir|file|path|folder|prefix|root|to|location)?s?)$/i
const RESTART =
  /^--?(?:restart\w*|resume\w*|continue\w*|load\w*|init\w*|cpi|from\w*|checkpoint|ckpt|chk|warm[-_]?start|pretrained)(?:[-_]\w+)*$/i
const GIVEN =
  /^(?:HOME|USER|LOGNAME|PWD|OLDPWD|SHELL|HOSTNAME|TMP\w*|TEMP|SCRATCH\w*|WORK\w*|PROJECT\w*|GROUP\w*|STORE\w*|LOCAL\w*|DATA|CLUSTER|SLURM\w*|SGE\w*|PBS\w*|LSB\w*|JOB\w*|EB\w*|CONDA\w*|VIRTUAL_ENV|RANDOM|XDG\w*|\w*_?(?:ROOT|HOME|BASE|PREFIX)|\d+)$/

/** [option, its value] of each option among the words. */
export const optionsOf = words =>
  words.flatMap((word, place) => {
    const [, name, value] = /^(--?[A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? []
    return name ? [[name, value ?? words[place + 1] ?? ""]] : []
  })
/** A path that another job does not have. */
const NEW =
  /\$\{?(?:SLURM_JOB_?ID|SLURM_ARRAY_JOB_ID|JOB_ID|RANDOM|\$|TMPDIR|SLURM_TMPDIR|LOCAL_SCRATCH)\b|\$\$|\$\(mktemp|\$\(date \+\S*%[sHT]/
/** A directory of the job's own that no system creates. */
const OF_THIS_JOB =
  /^(?:\$(?:HOME|SCRATCH|PROJECT|SLURM_SUBMIT_DIR)\/|~\/|(?![/$~]))(?:[^/]*\/)*[\w.-]*\$SLURM_JOB_?ID[\w.-]*$/
const names = variable => new RegExp(String.raw`\$\{?${variable}\b`)
/** What programs read without being told. @type {[RegExp, RegExp][]} */
const READERS = [
  [/^(?:reconstructPar(?:Mesh)?|redistributePar)$/, /^processors?\d*\*?/],
  [/^(?:projwfc|dos|bands|pp|ph)\.x$/, /\.save$/],
]
const recursive = ({name, words}) => name === "rm" && words.some(word => /^-\w*r/i.test(word))

/** The files that a program is told to write anew: of Amber's those that hold results. */
function overwritten(words) {
  const given = payload({words})
  if (/^(?:pmemd|sander)/.test(program({words})))
    return given.includes("-O") ? given.filter((_, at) => /^-[xo]$/.test(given[at - 1] ?? "")) : []
  return optionsOf(given)
    .filter(([name]) => /^--?(?:o|out|output|outfile|output[-_]?file|results?)$/.test(name))
    .map(([, value]) => value)
}

/** @type {Partial<Rule>} */
export const usual = {kind: "fails", schedulers: ["slurm", "grid_engine"], where: "command"}

/** @type {Record<string, Rule>} */
export const rules = {
  "deleted-before-it-is-read": {
    *find({commands: all}) {
      const texts = all.filter(({name, words}) => name === "trap" && /\brm\b/.test(words[1] ?? ""))
      const inline = texts.flatMap(({words, line}) =>
        readScript(words[1]).commands.map(each => ({...each, fn: `trap of line ${line}`, line})),
      )
      const commands = [...all, ...inline]
      const reads = commands.filter(
        ({name, words}) =>
          /^(?:cp|mv|rsync|scp|zip|gzip|tar|cat|sort|grep|awk|zcat|head|tail)$/.test(name) ||
          READERS.some(([of]) => of.test(program({words}))),
      )
      if (!reads.length) return
      for (const {name, words, fn, line, certain, loops, op} of commands) {
        if (name !== "rm" || loops.length || !(certain || (fn && !op))) continue
        const own = commands.filter(each => each.fn === fn),
          place = own.findIndex(each => each.line === line && each.name === name)
        for (const target of words.slice(1)) {
          const gone = target.replace(/\/\*?$/, "")
          if (target.startsWith("-") || /^[\W_]*$/.test(gone)) continue
          const about = text => `${text}/`.startsWith(`${gone}/`)
          const needs = ({name: tool, words: given}) =>
            (/^(?:cp|mv|rsync|scp|zip|gzip)$/.test(tool) && given.slice(1, -1).some(about)) ||
            (tool === "tar" && /^-?[a-z]*c/.test(given[1] ?? "") && given.slice(3).some(about)) ||
            (/^(?:cat|sort|grep|awk|zcat|head|tail)$/.test(tool) && given.slice(1).some(about)) ||
            READERS.some(([of, reads]) => of.test(program({words: given})) && reads.test(gone))
          const at = own.findIndex((each, later) => later > place && needs(each))
          const other = each =>
            each.condition ||
            /^(?:cd|pushd|popd|tar|source|\.|return|exit)$|^case /.test(each.name || each.text) ||
            (each.name !== "rm" &&
              ((works(each) && !COPIES.test(each.name)) ||
                [...each.words.slice(1), ...each.redirects.map(({target: to}) => to.text)].some(about)))
          if (at > 0 && !own.slice(certain ? place : 0, at).some(other))
            return yield {line, matched: [target, program(own[at]), String(own[at].line)]}
        }
      }
    },
    words: "this line deletes `{0}` before `{1}` on line {2} reads it.",
    cure: "Move this line below line {2}.",
    bad: [
      'W=/scratch/me/a\nend() {\n  rm -rf "$W"\n  mkdir -p ~/out\n  cp -r "$W/results" ~/out\n}\ntrap end EXIT\n./a',
      "srun pimpleFoam -parallel\nrm -rf processor*\nreconstructPar -latestTime",
      "W=/scratch/me/a\ntrap 'rm -rf $W; cp -r $W/out ~/' EXIT\n./a",
      "./a\nrm -rf out\ntar czf ~/out.tgz out",
    ],
    good: [
      "rm -rf processor*\ndecomposePar\nsrun pimpleFoam -parallel\nreconstructPar",
      "rm -rf out a\ncp -r in out\ncp out/a data/a b",
      "f() {\n  if [ -e x ]; then rm -rf out; else cp -r out ~/; fi\n}\ntrap f EXIT\n./a",
    ],
  },
  "results-deleted": {
    *find({commands}) {
      const body = fn => commands.filter(each => each.fn && each.fn === fn)
      const gone = commands.flatMap(command => {
        const {name, words, line} = command
        if (recursive(command) && !command.fn && command.certain && !command.loops.length)
          return words.slice(1).map(word => ({word, line, trap: false}))
        if (name !== "trap" || !words.includes("EXIT")) return []
        const own = body(words[1]).find(recursive)
        const given = own?.words ?? /\brm\s+-\w*r\w*\s+(?:--\s+)?(\S+)/.exec(words[1] ?? "") ?? []
        return given.slice(1).map(word => ({word: word.replace(/["']/g, ""), line: own?.line ?? line, trap: true}))
      })
      for (const {word, line, trap} of gone) {
        const [, variable] = /^\$\{?(\w+)(?::\?[^}]*)?\}?\/?$/.exec(word) ?? []
        if (!variable) continue
        const inside = names(variable)
        const before = commands.filter(each => trap || each.line < line)
        const away = before.some(
          ({name, words, loops}) =>
            (name === "cd" && inside.test(words[1] ?? "")) ||
            (COPIES.test(program({words})) && words.slice(1, -1).some(each => inside.test(each))) ||
            (name === "tar" && words.slice(1).some(each => inside.test(each)) && !/^-?\w*x/.test(words[1] ?? "")) ||
            (loops.length && inside.test(words.join(" ")) && COPIES.test(name)),
        )
        if (away) continue
        const written = before.find(
          each =>
            works(each) &&
            !COPIES.test(each.name) &&
            !each.fn &&
            (optionsOf(each.words).some(([name, value]) => OUTPUT.test(name) && inside.test(value)) ||
              each.redirects.some(({op, target}) => /^&?>/.test(op) && inside.test(target.text))),
        )
        const read =
          written &&
          commands.some(
            each =>
              each !== written &&
              each.line > written.line &&
              !each.sets.length &&
              !/^(?:echo|printf|rm|ls|du|trap|mkdir)$/.test(each.name) &&
              inside.test(each.words.join(" ")),
          )
        if (written && !read) return yield {line, matched: [`$${variable}`, String(written.line)]}
      }
    },
    words: "this line deletes `{0}` with the results that line {1} writes there, and nothing copies them.",
    cure: "Copy the results first, or write them elsewhere.",
    bad: [
      "W=$(mktemp -d)\ntrap 'rm -rf \"$W\"' EXIT\npython a.py --output $W/results",
      'W=/scratch/me/run\nclean() {\n  echo x\n  rm -rf "$W"\n}\ntrap clean EXIT\npython a.py --tmp $W/tmp --chains $W/chains\necho "see $W"',
      "W=/scratch/me/run\n./a > $W/out.dat\nrm -rf $W",
    ],
    good: [
      "W=$(mktemp -d)\ntrap 'rm -rf \"$W\"' EXIT\npython a.py --cache $W/cache",
      "W=$(mktemp -d)\ntrap 'rm -rf $W' EXIT\n./a -o $W/x\n./b $W/x > y",
      "W=/scratch/me/run\nrm -rf $W\nmkdir $W\n./a --out $W/x",
    ],
  },
  "deletes-its-own-restart": {
    *find({commands}) {
      const resumes = commands.some(
        each =>
          optionsOf(payload(each)).some(([option]) => RESTART.test(option)) ||
          each.redirects.some(({op}) => op === "<"),
      )
      if (!resumes) return
      for (const [place, command] of commands.entries()) {
        const {name, words, fn, certain, line} = command
        if (name !== "rm" || fn || !certain) continue
        for (const target of words.slice(1)) {
          if (target.startsWith("-") || /^[\W_]*$/.test(target)) continue
          const folder = target.replace(/\/\*?$/, "")
          const own = /[*?]/.test(folder)
            ? new RegExp(
                `^${folder
                  .replace(/[.+^${}()|[\]\\]/g, "\\$&")
                  .replace(/\*/g, "[^/]*")
                  .replace(/\?/g, "[^/]")}$`,
              )
            : null
          const below = value => (own ? own.test(value) : value === target || value.startsWith(`${folder}/`))
          const behind = commands.slice(place + 1)
          const needs = behind.findIndex(
            each =>
              !each.fn &&
              (optionsOf(payload(each)).some(([option, value]) => RESTART.test(option) && below(value)) ||
                each.redirects.some(({op, target: from}) => op === "<" && below(from.text))),
          )
          if (needs < 0) continue
          const made = behind
            .slice(0, needs)
            .some(
              each =>
                works(each) ||
                each.redirects.some(({op, target: to}) => /^>/.test(op) && below(to.text)) ||
                /^(?:cp|mv|tar|rsync|ln|unzip|touch|git|cd|pushd)$/.test(each.name),
            )
          if (!made) return yield {line, matched: [target, String(behind[needs].line)]}
        }
      }
    },
    words: "this line deletes `{0}`, which line {1} needs to resume.",
    cure: "Delete it only for a new run, or keep the restart file elsewhere.",
    bad: [
      "rm -rf output\nmkdir output\nsrun ./a --outdir output --restart output/last.chk",
      "rm -f *.chk\n./a --resume last.chk",
      "rm -f state.bin\n./a < state.bin",
    ],
    good: [
      "rm -rf output\nmkdir output\ncp old/last.chk output/\nsrun ./a --restart output/last.chk",
      "rm -rf tmp\nsrun ./a --restart output/last.chk",
      'if [ -n "$NEW" ]; then rm -rf output; fi\nsrun ./a --restart output/last.chk',
    ],
  },
  "resumes-in-a-new-directory": {
    kind: "unwise",
    *find({commands, text, options}) {
      if (/requeue|RESTART_COUNT/.test(text) || options.some(({name}) => name === "requeue")) return
      const expand = expander(commands)
      let here = ""
      const copied = [] // into this directory
      for (const command of commands) {
        const given = payload(command)
        if (command.name === "cd" && !command.fn) here = expand(command.words[1] ?? "")
        const known = optionsOf(given)
        if (/^(?:cp|ln|rsync|mv)$/.test(command.name) && NEW.test(here) && /^\.?\/?$|^[\w.]+$/.test(given.at(-1) ?? ""))
          copied.push(...given.slice(1, -1))
        const resumes = known.some(
          ([name, value]) =>
            /^-{1,2}(?:auto[-_])?resume(?:[-_]from[-_]checkpoint)?$/.test(name) &&
            /^(?:-|auto$|last$|latest$|true$|$)/i.test(value),
        )
        const place = program(command) === "nextflow" ? /^(?:-w|-{1,2}work-?dir)$/ : OUTPUT
        const from = expand(known.find(([name]) => /^--?(?:resume\w*|restart\w*|cpi)$/.test(name))?.[1] ?? "")
        const own = NEW.test(from) || (/^[\w.]+$/.test(from) && known.some(([name]) => name === "-cpi"))
        const path = expand(known.find(([name]) => place.test(name))?.[1] ?? here)
        if (works(command) && !resumes && !own && NEW.test(expand(command.text))) return // it may make what the next one reads
        if (!(resumes || own) || !NEW.test(NEW.test(from) ? from : path)) continue
        const file = base(from)
        const brought =
          (file &&
            copied.some(
              each => base(each) === file || /\*$/.test(each) || each.endsWith(`*${file.replace(/.*(?=\.)/, "")}`),
            )) ||
          commands.some(
            ({name, words}) => /^(?:cp|ln|rsync|mv|tar)$/.test(name) && NEW.test(expand(words.slice(2).join(" "))),
          )
        if (!brought) return yield {line: command.line, matched: [path || from]}
      }
    },
    words: "each job has a new `{0}`, so the program finds nothing to resume and starts from the beginning.",
    cure: "Use a directory whose name is the same in the next job.",
    bad: [
      "nextflow run nf-core/rnaseq -work-dir /scratch/me/work-$SLURM_JOB_ID -resume",
      "OUT=runs/$SLURM_JOB_ID\npython a.py --resume auto --output-dir $OUT",
      "C=ckpt_$SLURM_JOB_ID\nmkdir -p $C\npython a.py --resume $C/last.pt --save $C",
      "mkdir -p /scratch/me/$SLURM_JOB_ID && cd /scratch/me/$SLURM_JOB_ID\ngmx mdrun -cpi md.cpt -ntomp 8",
      "cd /scratch/me/$SLURM_JOB_ID\ncp $D/md.tpr .\ngmx mdrun -cpi md.cpt -ntomp 8",
    ],
    good: [
      "OUT=runs/$SLURM_JOB_ID\ncp -r runs/last $OUT\npython a.py --resume auto --output-dir $OUT",
      "C=ckpt_$SLURM_JOB_ID\n./train --save $C\npython a.py --resume $C/last.pt",
      "#SBATCH --requeue\npython a.py --resume --output-dir runs/$SLURM_JOB_ID",
      "cd /scratch/me/$SLURM_JOB_ID\n[ -f $D/md.cpt ] && cp $D/md.* .\ngmx mdrun -cpi md.cpt -ntomp 8",
    ],
  },
  "mates-the-same": {
    *find({commands}) {
      const expand = expander(commands)
      for (const command of commands) {
        const given = payload(command).map(word => word.replace(/^--?\w[\w-]*=/, "")),
          reads = given.map(expand)
        const twice = given.find((_, at) => /\.f(?:ast)?q(?:\.gz)?$/.test(reads[at]) && reads.indexOf(reads[at]) < at)
        if (
          twice &&
          works(command) &&
          !/^(?:ln|zcat|\w+sum|cmp|diff|gzip|fastqc)$/.test(program(command)) &&
          !COPIES.test(command.name)
        )
          return yield {line: command.line, matched: [program(command), twice]}
      }
    },
    words: "`{0}` gets `{1}` twice, so both mates of each pair are the same read.",
    cure: "Give it the other file of the pair, such as _R2.",
    bad: [
      's=a\nR1=fq/${s}_R1.fastq.gz\nR2=fq/${s}_R1.fastq.gz\nbwa-mem2 mem -t 8 ref.fa "$R1" "$R2" > a.sam',
      "hisat2 -x ref -1 a_1.fq -2 a_1.fq -S a.sam",
    ],
    good: ["bwa mem ref.fa a_R1.fq.gz a_R2.fq.gz > a.sam", "for f in *.fq; do\n  fastqc $f\ndone"],
  },
  "resumes-from-the-oldest": {
    *find({commands, shell}) {
      const all = [...commands, ...shell.inner]
      for (const [place, {name, words, pipes, line}] of all.entries()) {
        if (name !== "ls" || !pipes) continue
        const next = all.slice(place + 1).find(({piped, line: at}) => piped && at === line)
        const one = /^(?:-n\s*)?-?1$/.test(next?.words.slice(1).join(" ").replace("-n ", "-") ?? "")
        const flags = words.filter(word => /^-\w+$/.test(word)).join("")
        const setter = commands.find(each => each.line === line && (each.sets.length || each.words.length))
        if (!next || !one || !/^(?:head|tail)$/.test(next.name) || /old|first|prev/i.test(setter?.text ?? "")) continue
        const files = words.slice(1).find(word => !word.startsWith("-")) ?? ""
        const oldest = flags.includes("t") && flags.includes("r") === (next.name === "head")
        const unpadded = !/[tvU]/.test(flags) && next.name === "tail" && /(?:checkpoint-|epoch=)[*?]/.test(files)
        if (oldest)
          yield {line, matched: [`ls ${flags}`, next.name, "the oldest file", next.name === "tail" ? "head" : "tail"]}
        else if (unpadded)
          yield {
            line,
            matched: [
              "ls",
              next.name,
              "checkpoint-900 even if checkpoint-1000 exists, because it sorts character by character",
              "ls -v and tail",
            ],
          }
      }
    },
    words: "`{0}` with `{1}` selects {2}, so the job does not resume from its last state.",
    cure: "Write {3} -n 1.",
    bad: [
      "L=`ls -1tr ckpt/*.pt 2>/dev/null | head -1`\n./a --resume $L",
      "L=$(ls -d out/checkpoint-* | tail -n 1)\n./a --resume $L",
    ],
    good: [
      "L=$(ls -t ckpt/*.pt | head -n 1)\n./a --resume $L",
      "OLDEST=$(ls -t ckpt/*.pt | tail -n 1)\nrm $OLDEST",
      "L=$(ls -v -d out/checkpoint-* | tail -n 1)\n./a --resume $L",
    ],
  },
  "reads-what-it-writes": {
    *find({commands, lines}) {
      const filters = /^(?:sort|sed|awk|gawk|grep|cat|cut|tr|uniq|head|tail|paste|join|jq)$/
      const globbed = new Set(
        commands.flatMap(({words, text}) => (words.length ? [] : (/^for (\w+) in .*[*?]/.exec(text)?.[1] ?? []))),
      )
      const isFile = word => /[./]/.test(word) || globbed.has(/^\$\{?(\w+)\}?$/.exec(word)?.[1] ?? "")
      for (const [place, command] of commands.entries()) {
        const {name, redirects, line, piped} = command
        const to = redirects.find(({op, fd}) => op === ">" && fd !== "2")?.target.text ?? ""
        if (!to || to.startsWith("/dev/") || /^(?:echo|printf|mkdir|touch|date|rm|:)$/.test(name)) continue
        const known = filters.test(name)
        const chain = [command]
        for (let at = place; commands[at].piped && at; at--) chain.push(commands[at - 1])
        const reader = chain.find(each => {
          const from = [
            ...each.words.slice(/^(?:sed|g?awk|grep|jq)$/.test(each.name) ? 2 : 1),
            ...each.redirects.filter(({op}) => op === "<").map(({target}) => target.text),
          ]
          return from.includes(to) && !/^(?:echo|printf)$/.test(each.name) && (known || isFile(to))
        })
        const sponge = lines[line - 1]?.includes("sponge")
        if (reader && !sponge && (piped || reader === command)) yield {line, matched: [to, reader.name]}
      }
    },
    words: "the shell empties `{0}` before `{1}` reads it.",
    cure: "Write to a different file, and rename it: {1} ... > new && mv new {0}",
    bad: [
      "sed 's/a/b/' run.in > run.in\n./b",
      "tr a b < c > c\n./b",
      'for b in *.bam; do\n  samtools view -b "$b" > "$b"\ndone',
      "cat a.csv | sort -u > a.csv",
    ],
    good: ["sort a.txt -o a.txt\n./b", "grep a b > a\n./b", "for n in a b; do\n  ./a $n > $n\ndone"],
  },
  "directory-not-there": {
    *find({commands, text}) {
      const expand = expander(commands)
      const plain = path => path.replace(/[{}"]|\/$/g, "").replace(/^\.\//, "")
      const makes = commands.filter(({name}) => /^(?:mkdir|install|cp|rsync|mv|ln|tar|git|unzip)$/.test(name))
      const made = makes.map(({words}) => plain(expand(words.join(" ")))).join("\n")
      const first = new Map() // by path, the line that creates it, or what is in it
      const itself = new Map()
      for (const {words, line, op} of makes.filter(({name}) => name === "mkdir").toReversed())
        for (const path of words.slice(1).map(word => plain(expand(word)))) {
          if (op !== "||") itself.set(path, line)
          for (let at = path.length; at > 0; at = path.lastIndexOf("/", at - 1)) first.set(path.slice(0, at), line)
        }
      if (/\bmkdir\b.*\$[({@*]|makedirs/.test(text)) return
      for (const {name, words, redirects, line, certain, fn, op} of commands) {
        const to = redirects.find(({op}) => /^&?>/.test(op))?.target.text ?? ""
        const path = plain(expand(name === "cd" ? (words[1] ?? "") : to.slice(0, Math.max(0, to.lastIndexOf("/")))))
        if (!path || !certain || fn || op || !works({name: name === "cd" ? "./a" : name, words})) continue
        const later = itself.get(path)
        const early = (first.get(path) ?? Infinity) < line
        if (later ? later > line && !early : OF_THIS_JOB.test(path) && !made.includes(path))
          return yield {
            line,
            matched: [path, later ? `only line ${later} creates it` : "the script does not create it"],
          }
        if (name === "cd" && !/^[/~$]/.test(path)) return // all that follows is there
      }
    },
    words: "`{0}` does not exist yet, because {1}.",
    cure: "Add this line above it: mkdir -p {0}",
    bad: ["cd results\n./a\nmkdir results", "./a > out/a.txt\nmkdir -p out", "R=run_$SLURM_JOB_ID\ncd $R\n./a"],
    good: [
      "mkdir -p out/a\n./a > out/b.txt\nmkdir -p out",
      "cd /tmp/$SLURM_JOB_ID\n./a",
      "cp -r in run_$SLURM_JOB_ID\ncd run_$SLURM_JOB_ID\n./a",
    ],
  },
  "deletes-with-an-empty-variable": {
    *find({commands, text}) {
      const own = [...new Set(commands.flatMap(set))].filter(Boolean)
      if (readsAnother(commands) || /^[ \t]*set\s+(?:-\w*u|-o nounset)/m.test(text)) return
      for (const command of commands) {
        if (!recursive(command)) continue
        for (const word of command.words.slice(1)) {
          const [whole, name] = /^\$\{?(\w+)\}?\/(?=\*|\.?$|\$|\w)/.exec(word) ?? []
          if (!whole || own.includes(name) || GIVEN.test(name) || text.includes(`${name}=`)) continue
          const near = nearest(name, own)
          return yield {
            line: command.line,
            matched: [`$${name}`, word.replace(/^\$\{?\w+\}?/, ""), near ? `Write $${near}` : "Set the variable"],
          }
        }
      }
    },
    words:
      "this script does not set `{0}`. If the variable is empty, this line deletes {1}, that is, everything that you can delete.",
    cure: "{2}, and make the script stop if it is empty: ${{NAME:?}}",
    bad: ["SCR=/scratch/me/run\nmkdir $SCR\n./a\nrm -rf $SRC/*", "./a\nrm -rf ${RUNDIR}/*"],
    good: ["./a\nrm -rf $SCRATCH/run/*", "set -u\n./a\nrm -rf $RUNDIR/*"],
  },
  "each-round-overwrites": {
    kind: "unwise",
    *find({commands}) {
      const variables = varying(commands)
      for (const {words, redirects, loops, line, fn, subshell} of commands) {
        const loop = loops.at(-1)
        if (!words.length || loops.length !== 1 || loop?.kind !== "for" || fn || subshell) continue
        const head = commands.find(each => each.line === loop.line && !each.words.length && /^for /.test(each.text))
        const [variable] = head?.sets.map(part => part.replace(/=$/, "")) ?? []
        const to =
          redirects.find(({op, fd}) => op === ">" && fd !== "2")?.target.text ??
          overwritten(words).find(
            word =>
              !differs(word, new Set([...variables, variable])) &&
              words.filter(each => each.endsWith(word)).length === 1,
          )
        if (
          !head ||
          !variable ||
          !to ||
          /^(?:\/dev\/|\/tmp\/|\$\{?(?:SLURM_)?TMPDIR\b)/.test(to) ||
          differs(to, new Set([...variables, variable])) ||
          !/\.\w+$/.test(to)
        )
          continue
        if (!words.some(word => names(variable).test(word)) || !works({name: words[0], words})) continue
        const inside = commands.filter(each => each.loops.some(({line: at}) => at === loop.line) && each.line !== line)
        const moves = inside.some(
          ({name, words: own, text}) => /^(?:cd|pushd|break)$/.test(name) || own.includes(to) || text.includes(to),
        )
        if (!moves && !/^(?:cat|grep|sed|awk|head|tail|cut|sort)$/.test(words[0]))
          yield {line, matched: [to, `$${variable}`]}
      }
    },
    words: "each iteration of the loop overwrites `{0}`, so only the last one is left.",
    cure: "Put {1} into the file's name, or write >>.",
    bad: [
      "for s in 1 2 3; do\n  ./a --seed $s > result.txt\ndone",
      "for s in 1 2 3; do\n  ./a --seed $s --output result.h5\ndone",
      "for k in 1 2 3; do\n  pmemd.cuda -O -i a.in -o a_$k.out -r a_$k.rst7 -x a.nc\ndone",
    ],
    good: [
      "for s in 1 2 3; do\n  ./a --seed $s > result_$s.txt\ndone",
      "for s in 1 2 3; do\n  cd run_$s\n  ./a --seed $s > result.txt\n  cd ..\ndone",
    ],
  },
  "mirror-deletes": {
    *find({commands}) {
      for (const {name, words, line, certain, op} of commands) {
        if (name !== "rsync" || !words.some(word => /^--del(?:ete(?!-excluded)(?:-\w+)?)?$/.test(word)) || op) continue
        const [from = "", to = ""] = words
          .slice(1)
          .filter(word => !word.startsWith("-"))
          .slice(-2)
        const whole =
          /^(?:~|\.|\.\/|\$\{?(?:HOME|SCRATCH|PROJECT|WORK|SLURM_SUBMIT_DIR|PWD|SGE_O_WORKDIR)\}?)\/?$|^\/(?:scratch|home|users|projects?|work|flash|projappl|nobackup)\/[^/]+\/?$/.test(
            to,
          )
        if (certain && whole && from.endsWith("/")) yield {line, matched: [to, from]}
      }
    },
    words: "--delete removes everything from `{0}` that is not in `{1}`.",
    cure: "Omit --delete, or name a directory of this job.",
    bad: ["./a\nrsync -a --delete $SLURM_TMPDIR/ $SLURM_SUBMIT_DIR/", "./a\nrsync -a --delete out/ /scratch/$USER/"],
    good: [
      "./a\nrsync -a --delete out/ $SCRATCH/run7/",
      "./a\nrsync -a $TMPDIR/ $SLURM_SUBMIT_DIR/",
      "rsync -a --delete out $HOME",
    ],
  },
}
