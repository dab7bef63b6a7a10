"""How each kind of program is started on a system: what goes before it, and the command."""

import re

from scripts.engine.data.guide_scripts import Parts, parts
from scripts.facts import Cluster
from scripts.paths import FACTS

OWN_FOLDER = re.compile(r"such as (/\S+?)[}\s]")
SITE = {"modules": "pytorch-module", "images": "pytorch-container", "own": "own-environment"}
LABELS = {
    "pytorch-module": "PyTorch from the site's module",
    "pytorch-container": "PyTorch in a container",
    "own-environment": "PyTorch in your own environment",
    "jax": "JAX",
    "numba": "Numba",
    "vllm": "vLLM",
    "finetune": "LoRA fine-tuning",
    "cpu": "a CPU-only program",
    "own-command": "any other command",
}
# What of the guide's scripts comes behind the environment.
GENERIC = re.compile(r"export (SRUN_CPUS_PER_TASK|OMP_NUM_THREADS)=|first_node=")
COUNT = re.compile(r"(?<=--nproc-per-node=)\d+|(?<= / )\d+(?=\)\))")


def programs(cluster: Cluster) -> dict[str, dict]:
    """For each kind: its label, and `env` (lines) and `start` (what stands before the program's name), or `reason`.

    `cpu`: the same for a job without a GPU, where it is different; `gpuOnly`: why there is none.
    `gpus`: most GPUs that it uses; `maker`: whose GPUs, if not anyone's; `site`: the guide's scripts start it so, and
    have commands of their own for several GPUs, a whole node and several nodes (`commands`), with `#` for how many.
    """
    one, site = parts(cluster, "one_gpu"), site_program(cluster)
    found = {name: {"reason": f"We know no such program on {cluster.name}."} for name in LABELS}
    found[site] = _site(cluster, one)
    if site != "own-environment":
        found["own-environment"] = _own_environment(cluster, one)
    if site != "pytorch-container":
        found["pytorch-container"] = _own_image(cluster)
    if site != "pytorch-module":
        found["pytorch-module"] = {
            "reason": f"{cluster.name} has no PyTorch module that this guide knows of.",
            "nearest": site,
        }
    found["jax"], found["numba"] = (_other(cluster, name, found["own-environment"]) for name in ("jax", "numba"))
    if vllm := parts(cluster, "vllm"):
        found["vllm"] = _vllm(cluster, vllm)
    if finetune := parts(cluster, "finetune"):
        found["finetune"] = _finetune(cluster, finetune)
    found["cpu"] = _cpu(cluster)
    found["own-command"] = {"env": [], "start": ""}
    found = {name: {"label": LABELS[name]} | each for name, each in found.items()}
    return {name: each | _without_gpu(cluster, name, site, found) for name, each in found.items()}


def site_program(cluster: Cluster) -> str:
    """Which kind of program the guide's scripts of this cluster start."""
    if cluster.software.images:
        return SITE["images"]
    return SITE["modules" if any("pytorch" in name for name in cluster.software.modules) else "own"]


def _environment(setup: tuple[str, ...]) -> list[str]:
    return [line for line in setup[1:] if not GENERIC.match(line)]


def _start(command: tuple[str, ...]) -> str:
    """`srun singularity run "$image" python3 matmul.py …` -> `singularity run "$image" python3 `."""
    return command[0].split("matmul.py")[0].removeprefix("srun ")


def _maker(cluster: Cluster) -> str:
    """Whose GPUs the guide's scripts run on."""
    return next((gpu.model.split()[0] for gpu in cluster.gpus.values()), "")


def _site(cluster: Cluster, one: Parts) -> dict:
    commands = {}
    for kind, name in (("several", "several_gpus"), ("whole", "full_node"), ("nodes", "more_nodes")):
        if found := parts(cluster, name):
            commands[kind] = [COUNT.sub("#", line) for line in found.command]
    nodes = parts(cluster, "more_nodes")
    return {
        "env": _environment(one.setup),
        "start": _start(one.command),
        "maker": _maker(cluster),
        "commands": commands,
        "nodesSetup": [COUNT.sub("#", line) for line in nodes.setup] if nodes else None,
        "site": True,
    }


def _own_folder(env: list[str]) -> str | None:
    """Where the guide tells its readers to make an environment on top of this one; None where it tells of none."""
    loads = [line for line in env if line.startswith("module load")]
    for script in sorted((FACTS / "software").glob("*_everything.sh")):
        text = script.read_text(encoding="utf-8")
        if any(line in text for line in loads) and (folder := OWN_FOLDER.search(text)):
            return folder[1]
    return None


def _own_environment(cluster: Cluster, one: Parts) -> dict:
    """On top of the site's module or container, or beside it, by conda."""
    env, maker = _environment(one.setup), _maker(cluster)
    folder = _own_folder(env)
    if folder and site_program(cluster) == SITE["images"]:
        start = _start(one.command).replace("python3 ", '"$python" ')
        return {"env": [*env, f"python={folder}/bin/python3"], "start": start, "maker": maker}
    path = f'export PATH="{folder or "$HOME/everything"}/bin:$PATH"'
    return {"env": [*env, path] if folder else [path], "start": "python3 ", "maker": maker}


def _own_image(cluster: Cluster) -> dict:
    if not cluster.software.containers:
        return {"reason": f"We know of no containers on {cluster.name}.", "nearest": site_program(cluster)}
    tool = cluster.software.container_command
    module = cluster.software.container_module
    option = cluster.software.container_option or "--nv"
    return {
        "env": [f"module load {' '.join([*cluster.software.load_first, module])}"] if module else [],
        "start": f"{tool} exec {option} pytorch.sif python3 ",
        "maker": _maker(cluster),
    }


def _other(cluster: Cluster, name: str, own: dict) -> dict:
    """JAX and Numba, in an environment of one's own; how the guide installs them is on its page."""
    if _maker(cluster) != "NVIDIA":
        return {
            "reason": f"{LABELS[name]}, as the guide installs it, does not use the GPUs of {cluster.name}.",
            "nearest": "own-command",
        }
    packages = {"jax": "jax numpy", "numba": "numba numba-cuda numpy"}[name]
    env = [line.replace("torch numpy", packages) for line in own["env"]]
    modules = [each for each in cluster.software.own_modules if each.endswith(f"-{name}")]
    if modules:
        env = [f"module load {modules[0]}"]
    env = [line.replace("/pytorch-gpu/bin", "/everything/bin") for line in env]
    return {"env": env, "start": "python3 ", "maker": "NVIDIA", "gpus": 1}


def _vllm(cluster: Cluster, vllm: Parts) -> dict:
    """As the guide's script starts it: `command` is all of it, on one node."""
    most = max((count for node in cluster.node_types.values() for count in node.gpus.values()), default=1)
    about = {"env": _environment(vllm.setup), "start": "", "command": list(vllm.command), "maker": _maker(cluster)}
    return about | {"gpus": most, "gpuOnly": "vLLM, as the guide starts it, needs a GPU."}


def _finetune(cluster: Cluster, finetune: Parts) -> dict:
    """As the guide's script starts it, on one GPU."""
    about = {"env": _environment(finetune.setup), "start": "", "command": list(finetune.command)}
    return about | {
        "gpus": 1,
        "maker": _maker(cluster),
        "gpuOnly": "LoRA fine-tuning, as the guide starts it, needs a GPU.",
    }


def _cpu(cluster: Cluster) -> dict:
    many = parts(cluster, "many_cpus")
    return {"env": _environment(many.setup), "start": _start(many.command)}


def _without_gpu(cluster: Cluster, name: str, site: str, found: dict[str, dict]) -> dict:
    """What a kind of program needs besides for jobs without a GPU."""
    if name in ("cpu", "own-command", "vllm", "finetune") or "reason" in found[name]:
        return {}
    only = [module for module in cluster.software.gpu_modules if any(module in line for line in found[name]["env"])]
    own = any("PATH" in line for line in found["cpu"]["env"])
    if name == "own-environment" and own or name == site and not only:
        return {"cpu": {field: found["cpu"][field] for field in ("env", "start")}}
    if only:
        return {"gpuOnly": f"{found[name]['label']} is for GPU jobs here: only their nodes have {only[0]}."}
    if name == "pytorch-container":
        return {"cpu": {"env": found[name]["env"], "start": re.sub(r" --(nv|rocm)", "", found[name]["start"])}}
    return {}
