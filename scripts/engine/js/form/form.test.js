// The form's fields, its address, and its answers to what cannot be had.
import assert from "node:assert/strict"
import {existsSync, readFileSync} from "node:fs"
import {test} from "node:test"
import {systems} from "../test_facts.js"
import {found} from "../judge.js"
import {fragmentOf} from "./address.js"
import {fieldsOf} from "./read_address.js"
import {choices, write} from "./offers.js"
import {timeWords} from "../script/units.js"
import {minutesOf, shortTime} from "./request.js"

const {kestrel, lumi, roihu, trillium, nibi, puhti, rivanna} = systems
const running = Object.values(systems).filter(system => !system.form.gone)
const has = (system, fields, ...lines) => {
  const {script} = write(system, fields)
  for (const line of lines) assert.ok(script.split("\n").includes(line), `${line} is not in\n${script}`)
}

test("times, as a reader writes them and as sbatch does", () => {
  for (const [text, minutes] of [
    ["4h", 240],
    ["30m", 30],
    ["30min", 30],
    ["2d", 2880],
    ["1d12h", 2160],
    ["04:00:00", 240],
    ["2-00:00:00", 2880],
    ["00:15:30", 16],
    ["30 hours", 1800],
    ["1 day 6 hours", 1800],
    ["1 Day, and 6 hrs", 1800],
    ["1.5 h", 90],
    ["90 min", 90],
    ["1-06:00", 1800],
    ["1-6", 1800],
    ["1:30:00", 90],
    ["1:30", null],
    ["1-2-3", null],
    ["30 hourz", null],
    ["4", null],
    ["", null],
    ["4h5", null],
    ["-4h", null],
    ["h", null],
  ])
    assert.equal(minutesOf(text), minutes, text)
  for (const minutes of [15, 60, 2160, 2880, 14400]) assert.equal(minutesOf(shortTime(minutes)), minutes)
})
test("the script of the brief's own address", () => {
  has(
    kestrel,
    {gpu: "h100", gpus: "2", time: "4h"},
    "#SBATCH --partition=gpu-h100s",
    "#SBATCH --gpus=h100:2",
    "#SBATCH --cpus-per-task=64",
    "#SBATCH --time=04:00:00",
    "srun torchrun --standalone --nproc-per-node=2 all_gpus.py",
  )
  has(trillium, {program: "pytorch-container"}, "module load StdEnv/2023 apptainer")
})
test("the guide's own scripts come out, but for the memory, which they round", () => {
  const folder = new URL("../../../../snippets/", import.meta.url),
    plain = text => text.replace(/^#SBATCH --mem=.*\n/m, "")
  let scripts = 0
  for (const system of running) {
    const [first] = Object.keys(system.form.gpus)
    const whole = String(Math.max(...system.form.places.flatMap(({nodes}) => nodes.map(({gpus}) => gpus[first] ?? 0))))
    const asked = {
      one_gpu: {},
      several_gpus: {gpus: "2"},
      full_node: {gpus: whole},
      more_nodes: {gpus: whole, nodes: "2"},
      array: {array: "1-4"},
      many_cpus: {gpu: "none"},
      requeue: {checkpoint: "yes"},
      vllm: {program: "vllm", time: "1h"},
      finetune: {program: "finetune", time: "4h"},
    }
    for (const [name, fields] of Object.entries(asked)) {
      const file = new URL(`${system.key}/${name}.sh`, folder)
      if (!existsSync(file)) continue
      scripts += 1
      assert.equal(plain(write(system, {time: "15m", ...fields}).script), plain(readFileSync(file, "utf8")))
    }
  }
  assert.ok(scripts > 60, scripts)
})
test("the page's own engine finds nothing in what the form writes", () => {
  for (const system of running)
    for (const {name, values} of choices(system, {})) {
      for (const {value, possible} of values) {
        if (!possible || name === "cluster") continue
        const {script} = write(system, {[name]: value})
        const {verdict, findings} = found(system, script, "job.sh")
        // A reader puts their own account there, and may choose few cores.
        const own = ["account-sample", ...(name === "cores" ? ["cores-under-share"] : [])]
        const left = findings.filter(({rule}) => !own.includes(rule))
        assert.deepEqual([verdict, left], ["accepted", []], script)
      }
    }
})
test("the shortest partition that takes the time", () => {
  has(kestrel, {time: "5h"}, "#SBATCH --partition=gpu-h100")
  has(kestrel, {time: "3d"}, "#SBATCH --partition=gpu-h100l")
  for (const system of running) {
    const {reason, nearest} = write(system, {time: "99d"})
    assert.ok(reason.includes(timeWords(minutesOf(nearest.value))), `${nearest.value}: ${reason}`)
  }
})
test("no more nodes are planned than have the cores and the memory", () => {
  for (const system of running)
    for (const {mib, count} of system.form.places.flatMap(({nodes}) => nodes.filter(node => node.mib))) {
      const fields = {gpu: "none", program: "own-command", memory: `${Math.floor(mib / 1024)}G`}
      const {plan} = write(system, {...fields, nodes: String(count + 1)})
      const there = plan?.place.nodes.filter(node => !(node.mib < plan.mib)).reduce((sum, node) => sum + node.count, 0)
      assert.ok(!plan || there > count, `${system.key} ${mib} ${plan?.place.name}`)
    }
})
test("whole nodes go where whole nodes are given", () => {
  has(lumi, {gpus: "8"}, "#SBATCH --partition=standard-g")
  has(lumi, {gpus: "7"}, "#SBATCH --partition=small-g")
  const cpus = {gpu: "none", program: "own-command"}
  has(lumi, {...cpus, nodes: "8"}, "#SBATCH --partition=standard", "#SBATCH --cpus-per-task=128")
  has(lumi, {...cpus, nodes: "2"}, "#SBATCH --partition=small", "#SBATCH --cpus-per-task=32")
})
test("a model larger than one GPU is sharded on every system, on one node and on several", () => {
  for (const system of running)
    for (const fields of [{}, {nodes: "2"}]) {
      const {script, plan, reason} = write(system, {shard: "yes", ...fields})
      if (!plan && fields.nodes) continue // no partition there takes several such nodes
      assert.ok(script?.endsWith("fsdp.py\n"), `${system.key}: ${reason ?? script}`)
      assert.match(script, /torchrun|torch\.distributed\.run|--ntasks-per-node=[2-8]/, script)
      assert.ok(plan.gpus * plan.nodes > 1, script)
      assert.match(script, /shards its model with FSDP/)
    }
  const wrong = fields => write(kestrel, {shard: "yes", ...fields})
  assert.deepEqual(wrong({gpus: "1"}).nearest.fields, {gpus: "2"})
  assert.deepEqual(wrong({gpu: "none"}).nearest.fields, {shard: "no"})
  assert.match(wrong({program: "own-command"}).reason, /part of PyTorch/)
})
test("MPI has as many ranks on each node as are asked for, and their cores", () => {
  has(kestrel, {gpus: "4", tasks: "4"}, "#SBATCH --ntasks=4", "#SBATCH --cpus-per-task=32", "#SBATCH --gpus=h100:4")
  has(lumi, {gpu: "none", nodes: "2", tasks: "128"}, "#SBATCH --ntasks-per-node=128", "#SBATCH --cpus-per-task=1")
  for (const system of running)
    for (const fields of [
      {tasks: "2", gpus: "2"},
      {tasks: "4", gpus: "4"},
      {gpu: "none", tasks: "8"},
    ]) {
      const {script, reason} = write(system, fields)
      assert.ok(script || system.form.gpus[Object.keys(system.form.gpus)[0]].counts || /GPU/.test(reason), reason)
      if (!script) continue
      assert.ok(
        script.includes(`\n#SBATCH --ntasks=${fields.tasks}\n`) && /\nsrun \.\/my_program\n/.test(script),
        script,
      )
      const {verdict, findings} = found(system, script.replace("./my_program", "vasp_std"), "job.sh")
      const left = findings.filter(({kind}) => ["refused", "fails", "ignored", "unwise"].includes(kind))
      assert.deepEqual([verdict, left], ["accepted", []], script)
    }
  const wrong = fields => write(kestrel, fields)
  assert.deepEqual(wrong({tasks: "64"}).nearest.fields, {tasks: "32"})
  assert.deepEqual(wrong({tasks: "4", program: "pytorch-container"}).nearest.fields, {program: "own-command"})
  assert.equal(wrong({tasks: "many"}).field, "tasks")
})
test("vLLM gets the number of its GPUs, where the guide has its script", () => {
  const there = running.filter(({form}) => !form.programs.vllm.reason)
  assert.deepEqual(there.map(({key}) => key).sort(), ["fir", "lumi", "narval", "nibi", "rorqual", "roihu"].sort())
  for (const system of there)
    for (const gpus of ["2", "4"])
      assert.ok(write(system, {program: "vllm", gpus}).script.includes(` --tensor-parallel-size ${gpus}\n`), system.key)
  const wrong = fields => write(roihu, {program: "vllm", ...fields})
  assert.deepEqual(wrong({gpus: "3"}).nearest.fields, {gpus: "2"})
  assert.match(wrong({gpus: "2", nodes: "2"}).reason, /^vLLM runs on one node/)
  assert.match(wrong({gpu: "none"}).reason, /needs a GPU/)
})
test("vLLM gets the model that is named, by an address that holds no path and no command", () => {
  const model = "meta-llama/Llama-3.3-70B-Instruct"
  const {fields} = fieldsOf(fragmentOf({cluster: "roihu", program: "vllm", gpus: "2", model}))
  assert.equal(fields.model, model)
  assert.ok(write(roihu, fields).script.includes(` --model ${model} --max-model-len `))
  for (const system of running.filter(({form}) => !form.programs.vllm.reason)) {
    const {script} = write(system, {program: "vllm", model})
    assert.deepEqual(script.match(/--model \S+/g), [`--model ${model}`], system.key)
  }
  const usual = write(roihu, {program: "vllm"}).script.match(/--model (\S+)/)[1]
  assert.equal(choices(roihu, {program: "vllm"}).find(({name}) => name === "model").value, usual)
  for (const bad of ["a/b/c", "/etc/passwd", "../x", "$(id)", "a b", "a;b", "x".repeat(60)]) {
    assert.match(fieldsOf(`cluster=roihu&model=${encodeURIComponent(bad)}`).reason, /is not a value of the field model/)
    assert.match(write(roihu, {program: "vllm", model: bad}).reason, /is not a model's name/)
  }
  assert.deepEqual(write(roihu, {model}).nearest.fields, {model: "no"})
  const programs = choices(roihu, fields).find(({name}) => name === "program").values
  assert.ok(programs.find(({value}) => value === "own-command").possible, "another program takes the model out")
})
test("a chain puts itself back into the queue", () => {
  has(
    roihu,
    {checkpoint: "yes"},
    "#SBATCH --signal=B:USR1@300",
    "#SBATCH --requeue",
    "#SBATCH --open-mode=append",
    "trap again USR1",
    "srun python3 checkpoint.py &",
    'wait "$program"',
  )
  assert.ok(
    write(roihu, {checkpoint: "yes", time: "10m"}).script && !write(roihu, {checkpoint: "yes", time: "9m"}).script,
  )
})
test("the order of the directives is that of the guide's scripts", () => {
  const order = [
    "job-name",
    "account",
    "partition",
    "constraint",
    "array",
    "nodes",
    "ntasks",
    "ntasks-per-node",
    "cpus-per-task",
    "mem",
    "gpus",
    "gres",
    "gpus-per-node",
    "time",
    "signal",
    "requeue",
    "open-mode",
    "mail-type",
    "output",
  ]
  for (const system of running) {
    const {script} = write(system, {checkpoint: "yes", array: "1-3", mail: "yes"})
    const places = [...script.matchAll(/^#SBATCH --([\w-]+)/gm)].map(([, name]) => order.indexOf(name))
    assert.deepEqual(
      places,
      [...places].sort((a, b) => a - b),
      script,
    )
    assert.ok(!places.includes(-1))
  }
})
test("no line is wider than a page shows, but a path", () => {
  for (const system of running)
    for (const {value} of choices(system, {}).find(({name}) => name === "program").values) {
      for (const fields of [{}, {array: "1-9"}, {gpus: "2"}, {nodes: "2"}, {gpus: "4", nodes: "2", array: "1-9"}]) {
        const {script = ""} = write(system, {...fields, program: value})
        for (const line of script.split("\n")) assert.ok(line.length <= 88 || !line.includes(" "), line)
      }
    }
})
test("what cannot be had has a reason, and what is nearest can be had", () => {
  const tries = [
    [kestrel, {gpus: "5"}],
    [kestrel, {time: "11d"}],
    [trillium, {gpus: "2"}],
    [trillium, {nodes: "2"}, /first set GPUs per node to 4\.$/],
    [nibi, {gpu: "mi300a"}],
    [lumi, {gpu: "a40"}],
    [rivanna, {gpu: "v100"}],
    [roihu, {nodes: "2", gpus: "4"}],
    [roihu, {memory: "64G"}],
    [kestrel, {cores: "128"}],
    [kestrel, {nodes: "500", time: "3d", cores: "99", program: "jax"}],
  ]
  for (const [system, fields, said = /^[A-Z].*\.$/] of tries) {
    const {script, reason, nearest} = write(system, fields)
    assert.equal(script, undefined, JSON.stringify(fields))
    assert.match(reason, said)
    assert.ok(write(system, {...fields, ...nearest.fields}).script, `${reason} ${JSON.stringify(nearest)}`)
  }
})
test("a system that has ended names its successor", () => {
  const {reason, script} = write(puhti, {})
  assert.equal(script, undefined)
  assert.match(reason, /Roihu/)
})
test("each choice says rightly whether it can be had", () => {
  for (const system of running)
    for (const {name, values} of choices(system, {})) {
      assert.ok(
        values.some(({possible}) => possible),
        `${system.key} ${name}`,
      )
      if (name === "gpus") assert.deepEqual([values[0].value, values.at(-1).value], ["1", `${values.length}`])
      for (const {value, possible, reason, nearest} of values) {
        if (name === "cluster") continue
        const made = write(system, {[name]: value})
        assert.equal(Boolean(made.script), possible, `${system.key} ${name}=${value}`)
        if (possible) continue
        assert.ok(reason)
        assert.ok(write(system, {[name]: value, ...nearest.fields}).script, `${system.key} ${name}=${value}`)
      }
    }
})
test("what was probably meant is offered, as far as it can be had, and nothing where nobody can know", () => {
  for (const [time, value] of [
    ["30", "1d6h"],
    ["1:30", "1h30m"],
    ["30 hourz", "1d6h"],
    ["99 dayz", "1d12h"],
    ["99 days", "1d12h"],
    ["soon", undefined],
  ])
    assert.equal(write(roihu, {time}).nearest?.value, value, time)
})
test("a value that cannot be had empties no other field, and all that cannot be read is told at once", () => {
  for (const bad of [{time: "soon"}, {time: "99d"}, {gpu: "h100"}, {time: "soon", memory: "lots", array: "x"}]) {
    const fields = {...bad, gpus: "2", program: "own-command"}
    assert.deepEqual(
      write(roihu, fields).faults.map(({field}) => field),
      Object.keys(bad),
    )
    const found = Object.fromEntries(choices(roihu, fields).map(each => [each.name, each]))
    assert.ok(Object.values(found).every(({value}) => value))
    for (const [name, value] of Object.entries(fields)) assert.equal(found[name].value, value)
    assert.ok(found.gpus.values.some(({possible}) => possible) && found.mail.values.every(({possible}) => possible))
  }
})
test("an address is the form, there and back", () => {
  const fields = {cluster: "kestrel", gpu: "h100", gpus: "2", time: "1d12h", array: "1-10%5"}
  assert.deepEqual(fieldsOf(`#${fragmentOf(fields)}`), {fields})
  assert.equal(fieldsOf("cluster=kestrel&time=1%20day%206%20hours").fields.time, "1 day 6 hours")
  assert.equal(fragmentOf({cluster: "kestrel", account: "secret", time: "$(id)"}), "cluster=kestrel")
})
test("an address that no form wrote is one sentence", () => {
  for (const fragment of [
    "",
    "cluster=nowhere",
    "cluster=kestrel&account=x",
    "cluster=kestrel&cluster=lumi",
    "cluster=kestrel&gpu",
    "cluster=kestrel&time=%24(rm%20-rf%20~)",
    "cluster=kestrel&time=%E0%A4%A",
    'cluster="><img onerror>',
    "cluster=kestrel&mail=\n",
    "__proto__=1",
    "cluster=__proto__",
    "cluster=constructor",
    "cluster=kestrel&" + "a".repeat(1e6),
  ]) {
    const {fields, reason} = fieldsOf(fragment)
    assert.equal(fields, undefined, fragment.slice(0, 60))
    assert.match(reason, /^[^\n]{1,400}\.$/)
  }
})
test("a value that is none is one sentence", () => {
  for (const [field, value] of [
    ["gpu", "a9000"],
    ["gpus", "two"],
    ["gpus", "-1"],
    ["nodes", "0"],
    ["nodes", "1e3"],
    ["time", "soon"],
    ["time", "0m"],
    ["memory", "lots"],
    ["memory", "64"],
    ["cores", "0"],
    ["program", "fortran"],
    ["program", "constructor"],
    ["array", "4-1"],
    ["array", "1-4:0"],
    ["array", "x"],
    ["checkpoint", "perhaps"],
    ["mail", "me@example.org"],
    ["account", "mine"],
  ]) {
    const {script, reason} = write(kestrel, {[field]: value})
    assert.equal(script, undefined, `${field}=${value}`)
    assert.match(reason, /^[^\n]+\.$/)
  }
})
test("an array in an address may have its % as it is typed", () => {
  for (const [typed, read] of [
    ["1-100%5", "1-100%5"],
    ["1-100%30", "1-100%30"],
    ["1-100%2530", "1-100%30"],
    ["1-9", "1-9"],
  ])
    assert.equal(fieldsOf(`cluster=kestrel&array=${typed}`).fields?.array, read, typed)
  assert.match(write(kestrel, {array: "1-10:3"}).cost.words, /all 4 jobs/)
  assert.match(write(kestrel, {array: "7-7"}).script, /--array=7-7/)
  for (const [array, size] of [
    ["1-4%2", "2048 * SLURM_ARRAY_TASK_ID"],
    ["0-9999", "1024 + SLURM_ARRAY_TASK_ID % 4096"],
  ])
    for (const gpu of ["h100", "none"])
      assert.ok(write(kestrel, {array, gpu, gpus: "1"}).script.endsWith(` --size "$((${size}))"\n`), array)
})
test("PyTorch has a core for each GPU, and a program for several nodes is an own command", () => {
  const few = write(kestrel, {gpus: "3", cores: "1"})
  assert.match(few.reason, /each process needs a core\.$/)
  assert.equal(few.nearest.fields.cores, "3")
  assert.ok(write(kestrel, {gpus: "3", cores: "1", program: "own-command"}).script)
  assert.ok(write(kestrel, {gpus: "4", nodes: "2", cores: "4"}).script, "the cores are those of each node")
  assert.deepEqual(write(lumi, {gpu: "none", nodes: "8"}).nearest.fields, {program: "own-command"})
})
test("a GPU that is almost spelled right", () => {
  assert.equal(write(rivanna, {gpu: "a100-80"}).nearest.value, "a100_80")
})
