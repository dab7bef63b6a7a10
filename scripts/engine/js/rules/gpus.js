// How the directives request GPUs.
import {first, value, withoutOption} from "../fixes/edits.js"
import {components, last} from "../script/directives.js"
import {words} from "../script/text.js"

const GRES = [
  [/^gpus?[,=.*/_x-]\s*(\d+)$/, "gpu:$1"],
  [/^gpus?[,=]([A-Za-z]\w*)[:=](\d+)$/, "gpu:$1:$2"],
  [/^gpu:([\w.-]+)[,=](\d+)$/, "gpu:$1:$2"],
  [/^gpu:(\d+):([A-Za-z]\w*)$/, "gpu:$2:$1"],
  [/^gpus:(.+)$/, "gpu:$1"],
  [/^(\d+)$/, "gpu:$1"],
  [/^(\d+):gpus?$/, "gpu:$1"],
  [/^(gpu:\w+:\d+)[.;]$/, "$1"],
  [/^gpu(\d+)$/, "gpu:$1"],
  [/^G[PU]*[A-Z]*:(.*)$/, "gpu:$1"],
  [/^([a-z]+\d+\w*):(\d+)$/, "gpu:$1:$2"],
]
const UNTYPED = /^(gpu(:\d+)?|\d+)$/
// How an option asks for GPUs with their model, and without.
const TYPED = /^[A-Za-z][\w.-]*(:[1-9]\d*)?$/
const UNTYPED_NUMBER = /^[1-9]\d*$/
const REQUESTS = {
  gres: [/(^|,)gpu:[A-Za-z][\w.-]*(:[1-9]\d*)?(,|$)/, /(^|,)gpu(:[1-9]\d*)?(,|$)/],
  gpus: [TYPED, UNTYPED_NUMBER],
  "gpus-per-node": [TYPED, UNTYPED_NUMBER],
  "gpus-per-task": [TYPED, UNTYPED_NUMBER],
}

const WITHOUT_GPU = {
  without: words("gres gpus gpus-per-node gpus-per-task gpus-per-socket ntasks-per-gpu"),
  words: "the script sets `{written}` but requests no GPU.",
}

/** @type {Partial<Rule>} */
export const usual = {kind: "refused", schedulers: ["slurm"]}

/** @type {Record<string, Rule>} */
export const rules = {
  "gres-form": {
    options: ["gres"],
    pattern:
      /^gpu\s*[=.*\/_x-]\s*\w+.*|^gpu,(\d.*|[A-Za-z]+\d+\w*(:\d*)?)$|^gpu:[\w.-]+[,=]\d+$|^gpu:\d+:[A-Za-z]\w*(?=,|$)|^gpu:$|^gpus\b.*|^\d+$|^\d+:gpu.*|^[A-Z]*G[PU]*[A-Z]*:.*|^gpu=\w+:\d+$|^[a-z]+\d+\w*:\d+$|^gpu:\w+:\d+[.;]$|^gpu\d+$/u,
    unless: /^nvme:|^gpu:[\w.-]+,[a-z]+:/u,
    words: "Slurm cannot read `{written}` as a GPU request.",
    cure: "Write --gres=gpu:2 or, with the type, --gres=gpu:v100:2.",
    fix: value(text => first(text, GRES)),
    bad: [
      "#SBATCH --gres=a100:1",
      "#SBATCH --gres=gpu1",
      "#SBATCH --gres=gpu:a100=1",
      "#SBATCH --gres=gpu:v100,2",
      "#SBATCH --gres=2",
      "#SBATCH --gres=gpu,2",
      "#SBATCH --gres=gpu,v100:2",
      "#SBATCH --gres=gpu=2",
      "#SBATCH --gres=gpu:2:v100",
      "#SBATCH --gres=gpus:2",
      "#SBATCH --gres=gpu-1",
      "#SBATCH --gres=gpu:",
      "#SBATCH --gres=GPU:1",
    ],
    good: ["#SBATCH --gres=gpu:1", "#SBATCH --gres=gpu:v100:1", "#SBATCH --gres=gpu"],
  },
  "gpus-of-type-gpu": {
    options: ["gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket"],
    pattern: /^(gpu|gpus)(:|=|$)/u,
    words: "Slurm reads `{1}` in `{written}` as the GPU type.",
    cure: "Write --{option}=1, or --{option}=v100:1 with a type. Only --gres has `gpu:` before the number.",
    fix: value(text => text.replace(/^gpus?[:=](?=.)/, "").replace(/^gpus?$/, "1")),
    bad: ["#SBATCH --gpus=gpu:1", "#SBATCH --gpus-per-node=gpu:1"],
    good: ["#SBATCH --gpus=1", "#SBATCH --gpus=v100:1"],
  },
  "gpus-form": {
    options: ["gpus", "gpus-per-node", "gpus-per-task", "gpus-per-socket"],
    pattern: /^\d+[:,][A-Za-z]\w*$|^[A-Za-z][\w.-]*,\d+$|^gpu:\w+:\d+$|^gres:gpu:\w+:\d+$/u,
    words: "Slurm cannot read `{written}` as a GPU request.",
    cure: "Write --{option}=2 or, with the type, --{option}=v100:2.",
    fix: value(text =>
      first(text, [
        [/^(\d+)[:,]([A-Za-z]\w*)$/, "$2:$1"],
        [/^([A-Za-z][\w.-]*),(\d+)$/, "$1:$2"],
        [/^(?:gres:)?gpu:(\w+:\d+)$/, "$1"],
      ]),
    ),
    bad: [
      "#SBATCH --gpus=1:v100",
      "#SBATCH --gpus=v100,1",
      "#SBATCH --gpus-per-node=1,v100",
      "#SBATCH --gpus-per-node=gpu:v100:1",
    ],
    good: ["#SBATCH --gpus=v100:1", "#SBATCH --gpus=2"],
  },
  "gpus-type-for-number": {
    options: ["gpus", "gpus-per-node", "gpus-per-task"],
    pattern: /^[A-Za-z][\w.]*[=-]\d+$|^\d+,\d+$/u,
    words: "Slurm reads `{written}` as one GPU of the type `{0}`.",
    cure: "Write a colon between the type and the number: --{option}=v100:2.",
    fix: value(text => text.replace(/^([A-Za-z][\w.]*)[=-](\d+)$/, "$1:$2")),
    bad: ["#SBATCH --gpus=v100=1", "#SBATCH --gpus-per-node=v100-1"],
    good: ["#SBATCH --gpus=v100:1", "#SBATCH --gpus-per-node=1"],
  },
  "no-gpus": {
    kind: "unwise",
    options: ["gres", "gpus", "gpus-per-node", "gpus-per-task"],
    pattern: /^(gpu:)?([\w.-]+:)?0$/u,
    words: "`{written}` requests no GPU.",
    cure: "Request one, or remove the option.",
    fix: withoutOption,
    bad: ["#SBATCH --gres=gpu:0", "#SBATCH --gpus=0"],
    good: ["#SBATCH --gres=gpu:1", "#SBATCH --gpus=1"],
  },
  "gpus-per-task-alone": {
    options: ["gpus-per-task"],
    pattern: /^[\w:.-]+$/u,
    without: ["ntasks", "gpus", "ntasks-per-node", "ntasks-per-gpu", "nodes"],
    words: "`{written}` requires the number of tasks.",
    cure: "Add --ntasks=1.",
    fix: bench => bench.directive("--ntasks=1"),
    bad: ["#SBATCH --gpus-per-task=1", "#SBATCH --gpus-per-task=v100:1"],
    good: [
      "#SBATCH --gpus-per-task=1 --ntasks=1",
      "#SBATCH --gpus-per-task=1 --gpus=1",
      "#SBATCH --gpus-per-task=1 --nodes=1",
    ],
  },
  "gpus-per-task-on-a-node": {
    options: ["gpus-per-task"],
    pattern: /^[\w:.-]+$/u,
    needs: ["ntasks-per-node"],
    without: ["ntasks", "gpus", "ntasks-per-gpu", "nodes"],
    words:
      "`{written}` requires the number of tasks. Since 23.02, Slurm does not derive it from --ntasks-per-node alone.",
    cure: "Add --nodes=1.",
    fix: bench => bench.directive("--nodes=1"),
    bad: ["#SBATCH --gpus-per-task=1 --ntasks-per-node=1", "#SBATCH --gpus-per-task=t4:1 --ntasks-per-node=2"],
    good: [
      "#SBATCH --gpus-per-task=1 --ntasks-per-node=1 --nodes=1",
      "#SBATCH --gpus-per-task=1 --ntasks=1 --ntasks-per-node=1",
    ],
  },
  "gpus-per-task-without-number": {
    kind: "ignored",
    options: ["gpus-per-task"],
    pattern: /^[\w.-]*[A-Za-z][\w.-]*$/u,
    without: ["gpus", "gpus-per-node", "gres", "ntasks-per-gpu"],
    words: "`{written}` has no number, and Slurm since 24.05 ignores it, so the job has no GPU.",
    cure: "Write --{option}={0}:1.",
    fix: value(text => `${text}:1`),
    bad: ["#SBATCH --gpus-per-task=t4 --ntasks=1", "#SBATCH --ntasks=1 --gpus-per-task=v100"],
    good: ["#SBATCH --gpus-per-task=t4:1 --ntasks=1", "#SBATCH --gpus-per-task=1 --ntasks=1"],
  },
  "memory-per-gpu-without-gpu": {
    options: ["mem-per-gpu"],
    pattern: /^\d\w*$/u,
    ...WITHOUT_GPU,
    cure: "Request one, such as --gpus=1.",
    bad: ["#SBATCH --mem-per-gpu=4G", "#SBATCH --ntasks=1\n#SBATCH --mem-per-gpu=4000"],
    good: [
      "#SBATCH --gres=gpu:1 --mem-per-gpu=4G",
      "#SBATCH --gpus-per-node=1 --mem-per-gpu=4G",
      "#SBATCH --gpus-per-task=1 --ntasks=1 --mem-per-gpu=4G",
      "#SBATCH --gpus=1 --mem-per-gpu=4G",
    ],
  },
  "cores-per-gpu-without-gpu": {
    options: ["cpus-per-gpu"],
    pattern: /^\d+$/u,
    ...WITHOUT_GPU,
    cure: "Request one, such as --gpus=1, or use --cpus-per-task.",
    bad: ["#SBATCH --cpus-per-gpu=4", "#SBATCH --ntasks=1\n#SBATCH --cpus-per-gpu=2"],
    good: [
      "#SBATCH --gres=gpu:1 --cpus-per-gpu=4",
      "#SBATCH --gpus-per-node=1 --cpus-per-gpu=4",
      "#SBATCH --gpus-per-task=1 --ntasks=1 --cpus-per-gpu=4",
      "#SBATCH --gpus=1 --cpus-per-gpu=4",
    ],
  },
  "cores-two-ways": {
    options: ["cpus-per-gpu"],
    pattern: /^\d+$/u,
    needs: ["cpus-per-task"],
    words: "`{written}` and --cpus-per-task are mutually exclusive.",
    cure: "Keep one.",
    bad: [
      "#SBATCH --gpus=1 --cpus-per-gpu=4 --cpus-per-task=4",
      "#SBATCH --gres=gpu:1\n#SBATCH -c 2\n#SBATCH --cpus-per-gpu=2",
    ],
    good: ["#SBATCH --gpus=1 --cpus-per-gpu=4"],
  },
  "gpu-model-once": {
    /** Two requests for GPUs, of which one names the model and the other does not. */
    *find({options}) {
      for (const component of components(options)) {
        const found = last(component)
        const asked = component.filter(each => Object.hasOwn(REQUESTS, each.name) && each === found.get(each.name))
        const [typed, plain] = [0, 1].map(way =>
          asked.findLast(({name, value}) => REQUESTS[name][way].test(value ?? "")),
        )
        if (!typed || !plain) continue
        const [first, second] = [typed, plain].sort((one, other) => asked.indexOf(one) - asked.indexOf(other))
        yield {line: second.line, matched: [first.written, second.written], written: second.written}
      }
    },
    words: "only one of `{0}` and `{1}` names the GPU model, so Slurm rejects the job.",
    cure: "Keep one, or name the model in both.",
    fix: ({options, words}) => {
      const counted = options.filter(({name}) => /^(gres|gpus|gpus-per-node)$/.test(name))
      return words("", counted.findLast(({value}) => UNTYPED.test(value)) ?? null)
    },
    bad: [
      "#SBATCH --gres=gpu:a100:1\n#SBATCH --gpus=1",
      "#SBATCH --gpus-per-node=1 --gpus=a100:2",
      "#SBATCH --gres=nvme:1,gpu:a100 --gpus-per-task=1 --ntasks=1",
    ],
    good: ["#SBATCH --gres=gpu:1 --gpus=1"],
  },
  "gpus-with-their-model": {
    kind: "fails",
    *find({options, commands}) {
      const typed = new Map(
        options.map(({name, value}) => [`SLURM_${name.toUpperCase().replaceAll("-", "_")}`, value ?? ""]),
      )
      const names = ["SLURM_GPUS", "SLURM_GPUS_PER_NODE", "SLURM_GPUS_PER_TASK"].filter(name =>
        /^[a-z]/i.test(typed.get(name) ?? ""),
      )
      if (!names.length || commands.some(({text}) => /\$\{SLURM_GPUS\w*[#%:/]|<<<|\bIFS=/.test(text))) return
      const used = new RegExp(String.raw`(?<![\w\\])(${names.join("|")})(?!\w|=)`)
      for (const {name, line, tokens, sets, text, pipes} of commands) {
        const found = used.exec([...tokens.map(({raw}) => raw), ...sets, text].join(" "))?.[1]
        if (
          found &&
          !/^(?:echo|printf|\[\[?|test|env)$/.test(name) &&
          (name !== "export" || /\$\(\(/.test(text)) &&
          !pipes &&
          !/\|/.test(sets.join())
        )
          return yield {line, matched: [`$${found}`, typed.get(found)]}
      }
    },
    words: "`{0}` is `{1}` here, which includes the model and is not a number.",
    cure: "Write $SLURM_GPUS_ON_NODE.",
    bad: [
      "#SBATCH --gpus-per-node=v100:2\ntorchrun --nproc_per_node=$SLURM_GPUS_PER_NODE a.py",
      "#SBATCH --gpus=v100:2\nN=$((SLURM_NNODES * SLURM_GPUS))\n./a $N",
      "#SBATCH --ntasks=1 --gpus-per-task=v100:2\n./a --gpus $SLURM_GPUS_PER_TASK",
    ],
    good: [
      "#SBATCH --gpus-per-node=4\ntorchrun --nproc_per_node=$SLURM_GPUS_PER_NODE a.py",
      "#SBATCH --gpus=v100:2\nN=${SLURM_GPUS##*:}\n./a $N",
      "#SBATCH --gpus=v100:2\nN=$(echo $SLURM_GPUS | cut -d: -f2)\n./a $N $SLURM_GPUS_ON_NODE",
    ],
  },
  "gpu-bind-unknown": {
    kind: "unwise",
    options: ["gpu-bind"],
    pattern: /^(?!(?:v,|verbose,)?(?:closest|none|(?:single|per_task):\d+|(?:map|mask)_gpu:.+)$).+/u,
    words: "`{0}` is not a GPU binding, although sbatch accepts it.",
    cure: "Write closest, none, single:1, per_task:1, or map_gpu: or mask_gpu: with numbers.",
    bad: ["#SBATCH --gpu-bind=near", "#SBATCH --gpu-bind=close"],
    good: [
      "#SBATCH --gpu-bind=closest",
      "#SBATCH --gpu-bind=single:1",
      "#SBATCH --gpu-bind=verbose,map_gpu:0,1,2,3",
      "#SBATCH --gpu-bind=none",
    ],
  },
}
