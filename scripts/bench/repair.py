"""Tasks to repair a script: one mistake, of the kinds that people make, in one of the system's sound scripts."""

import random
import re
from collections.abc import Callable, Iterator

from scripts.bench.task import Task, account, clock, drawer, gpu_words, named, say
from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.families.shared import script

NUMBER = 8
NAMES = ("one_gpu", "several_gpus", "full_node", "more_nodes", "array", "many_cpus")
Damage = Callable[[str, Cluster, random.Random], str]


def _sub(pattern: str, by: str) -> Damage:
    """In the first line that has it."""
    return lambda text, *_: re.sub(pattern, by, text, count=1, flags=re.MULTILINE)


def _late(text: str, *_: object) -> str:
    """A directive below the first command, where no scheduler looks."""
    found = re.search(r"^#SBATCH --time=.*\n", text, re.MULTILINE)
    return (
        text
        if not found
        else text.replace(found[0], "").replace("set -euo pipefail\n", f"set -euo pipefail\n{found[0]}")
    )


DAMAGES: dict[str, Damage] = {
    "typographic dash": _sub(r"^#SBATCH --(time|mem|gpus|gres)", "#SBATCH \u2013\\1"),
    "directive too late": _late,
    "blank before SBATCH": _sub(r"^#SBATCH --time", "# SBATCH --time"),
    "misspelt SBATCH": _sub(r"^#SBATCH --time", "#SBTACH --time"),
    "option of its neighbor": _sub(r"^#SBATCH --ntasks=", "#SBATCH --ntask="),
    "underscore": _sub(r"^#SBATCH --cpus-per-task", "#SBATCH --cpus_per_task"),
    "blanks around =": _sub(r"^#SBATCH --time=", "#SBATCH --time = "),
    "partition misspelt": _sub(r"^(#SBATCH --partition=\S*?)([a-z])$", r"\1\2\2"),
    "GPU asked for with =": _sub(r"^#SBATCH --gres=gpu:(\S+)", r"#SBATCH --gres=gpu=\1"),
    "number before the GPU": _sub(r"^#SBATCH (--gpus[\w-]*)=([a-z]\w*):(\d)", r"#SBATCH \1=\3:\2"),
    "GiB": _sub(r"^#SBATCH --mem=(\d+)G$", r"#SBATCH --mem=\1GiB"),
    "time with a unit": _sub(r"^#SBATCH --time=0?(\d+):00:00$", r"#SBATCH --time=\1h"),
    "Windows line ends": lambda text, *_: text.replace("\n", "\r\n"),
    "no first line": _sub(r"\A#!.*\n", ""),
    "array with dots": _sub(r"^#SBATCH --array=(\d+)-(\d+)", r"#SBATCH --array=\1..\2"),
    "blank in a shell assignment": _sub(r"^export OMP_NUM_THREADS=", "export OMP_NUM_THREADS = "),
}


def tasks(cluster: Cluster, seed: int) -> Iterator[Task]:
    """None where the system runs no jobs."""
    if not cluster.running:
        return
    scripts = {
        path.name: path.read_text("utf-8") for name in NAMES if (path := script(cluster.key, f"{name}.sh")).exists()
    }
    pairs = [(damage, name) for damage in DAMAGES for name in scripts]
    drawer(seed, cluster, "repair", 0).shuffle(pairs)
    seen: set[str] = set()
    for damage, name in pairs:
        draw = drawer(seed, cluster, "repair", len(seen) + 1)
        sound = scripts[name]
        spoilt = DAMAGES[damage](sound, cluster, draw)
        if spoilt == sound or damage in seen:
            continue
        (before, after) = ask("found", [cluster], [[cluster.key, each] for each in (sound, spoilt)])
        bad = [each for each in after["findings"] if each["kind"] in ("refused", "ignored", "fails")]
        if before["verdict"] != "accepted" or not bad:
            continue  # no mistake here
        seen.add(damage)
        yield _task(cluster, named(seed, cluster, "repair", len(seen)), sound, spoilt, draw)
        if len(seen) == NUMBER:
            return


def _task(cluster: Cluster, name: str, sound: str, spoilt: str, draw: random.Random) -> Task:
    (asks,) = ask("asks", [cluster], [[cluster.key, sound]])
    wanted = {key: asks[key] for key in ("gpus", "nodes", "tasks", "minutes", "jobs")}
    wanted["program"] = [word for words in asks["runs"] for word in words if word.endswith(".py")][-1]
    nodes = f"{asks['nodes']} node{'s' if asks['nodes'] > 1 else ''}"
    gpus = gpu_words(cluster, asks["key"], asks["gpus"]) if asks["gpus"] else "no GPU"
    wish = [f"{gpus} on {nodes}", f"{clock(asks['minutes'])} of time"]
    if asks["gpus"]:
        wanted["gpu"] = [asks["key"]]
    if asks["jobs"] > 1:
        wish.append(f"{asks['jobs']} jobs of an array")
    if re.search(r"^#SBATCH --mem=\d+G$", sound, re.MULTILINE):
        wanted["memory"] = asks["memory"]
        wish.append(f"{asks['memory'] // 1024} GiB of memory per node")
    names = ["repair", "repair_wish", "reply"]
    if own := account(cluster):
        wanted["account"] = own
        names.insert(2, "account")
    request = say(draw, *names, system=cluster.name, wish=", ".join(wish), account=own)
    return Task(name, "repair", cluster.key, f"{request}\n\n```bash\n{spoilt}```", spoilt, wanted=wanted)
