"""What the engine must know of a system to move a script from it, or to it."""

import re

from scripts.engine.data.guide_scripts import directives, lines_of
from scripts.engine.data.limits import numbers
from scripts.engine.directives import read
from scripts.facts.applications import loads
from scripts.facts.limits import strictest
from scripts.facts.model import Cluster, NodeType, Partition, Place, Software
from scripts.facts.modules import load_modules
from scripts.facts.places import OWN_DISK, kind, paths
from scripts.families.shared import scripts
from scripts.measure.limits import load_limits
from scripts.migration.grid_engine import table

# A partition whose name says so is not for work: a script is moved into it only if nothing else takes it.
TRIAL = re.compile(r"test|debug|interactive|-st(an)?dby$")
OWN = ("export OMP_NUM_THREADS=", "export PYTHONPATH=", "export SRUN_CPUS_PER_TASK=", "first_node=", "work=", "trap ")


def common() -> dict:
    """Of Grid Engine, `variables`, each with Slurm's, and what to know of `options`; `modules`: names of modules."""
    names = load_modules()
    whys = {row.old.split()[0]: row.why for row in table().options if row.why}
    return {
        "variables": {row.old: row.new for row in table().commands if row.old.startswith("$")},
        "options": {name[1:]: why for name, why in whys.items() if name not in ("-l", "-pe")},
        "modules": {
            "common": names.common.split(),
            "licensed": names.licensed.split(),
            "inside": names.inside.split(),
            "variables": names.variables,
            "stacks": {stack: own.split() for stack, own in names.stacks.items()},
            "builds": names.builds,
            "toolchains": {name: own.split() for name, own in names.toolchains.items()},
            "unmounted": names.unmounted,
            "archives": names.archives,
            "openMpi": names.open_mpi.split(),
            "interfaces": names.interfaces,
            "pins": names.pins,
            "same": [row.split() for row in names.same],
        },
    }


def system(cluster: Cluster) -> dict:
    """Sizes in MiB, times in minutes; null for what is not published."""
    policy, nodes, used = cluster.policy, cluster.node_types, _used(cluster)
    return {
        "running": cluster.running,
        "centre": cluster.centre or cluster.key,
        # Where users of the center request access to this system
        "access": re.findall(r"<(https:\S+?)>.*request access to .* under \*(.+?)\*", cluster.access.apply or "", re.S),
        "account": {"rule": policy.account.rule, "sample": policy.sample_account, "forms": policy.account_forms}
        | ({"open": True} if "policy.account" in cluster.unknown else {}),
        "partition": policy.partition.rule,
        "time": policy.time.rule,
        "memory": {"gpu": policy.memory.gpu_jobs or policy.memory.rule, "cpu": policy.memory.rule},
        "threads": policy.threads_per_core.rule,
        "limits": numbers("policy", policy),
        "gpus": {key: _gpu(cluster, key) for key in cluster.gpus},
        "nodes": {key: _node(node) | {"disk": _disk(cluster, key)} for key, node in nodes.items()},
        "partitions": [_partition(key, each, used) for key, each in cluster.partitions.items()],
        "qos": {name: numbers("qos", each) for name, each in cluster.qos.items()},
        "modules": cluster.software.modules,
        "purgeBreaks": cluster.software.purge_breaks,
        "noted": re.findall(r"module load ([\w/+-]+)", " ".join(cluster.software.notes)),
        "documented": [
            *cluster.software.documented,
            *cluster.software.compilers,
            *cluster.software.profilers,
        ],
        "notes": cluster.software.notes,
        "versions": cluster.software.versions,
        "applications": loads(cluster.key) | _r(cluster.software),
        "rOnce": ", ".join(f"`{line}`" for line in cluster.software.r.once) if cluster.software.r else "",
        "renamed": [[each.old, each.new, each.only] for each in cluster.software.renamed],
        "software": software(cluster),
        "places": [
            [OWN_DISK if place.one_node or place.in_memory else kind(path) or "", path, _about(place)]
            for path, place in paths(cluster)
        ],
        "hosts": [each.host for each in cluster.login],
        "submit": {kind: _submit_from(cluster, kind) for kind in ("gpu", "cpu")},
        "noHome": policy.jobs_from_home is False,
        "retired": None if cluster.running else cluster.status.note or "",
        "mail": policy.mail,
        "seff": any(each.tool == "seff" for each in cluster.monitoring),
        "settings": cluster.software.settings,
        "remotes": [[old, *rest] for old, rest in cluster.software.remotes.items()],
        "mpiIo": cluster.software.mpi_io,
        "containers": cluster.software.container_command,
        "binds": [cluster.software.container_bind, cluster.software.container_hides],
        "noConda": cluster.software.conda_instead or policy.conda is False,
    }


def _submit_from(cluster: Cluster, kind: str) -> str | None:
    """From where to submit jobs with GPUs (`gpu`) or without (`cpu`), as the end of a sentence."""
    host = next((each.host for each in cluster.login if each.use.startswith(f"{kind.upper()} jobs")), None)
    told = cluster.policy.submit_from
    if told and "policy.jobs_from_home" in cluster.unconfirmed:
        told += " (unconfirmed)"
    other = {"gpu": "CPU", "cpu": "GPU"}[kind]
    if told and host and (clauses := told.split("; ")) and re.fullmatch(rf"[^,]* for {other} jobs", clauses[0]):
        return f"submit from {'; '.join([f'`{host}`', *clauses[1:]])}"
    if told and host:
        return f"submit from {told}. For {kind.upper()} jobs, use `{host}`"
    return f"submit from {told or f'`{host}`'}" if told or host else None


def _about(place: Place) -> dict:
    """What a script's reader must know of a place; what is nothing is left out."""
    said = {
        "size": place.size and str(place.size),
        "mib": _mib(place.size),
        "files": place.files,
        "deleted": place.deleted_after or (days := re.search(r"deleted after (\d+) days", place.kept)) and int(days[1]),
        "rule": place.kept,
        "use": place.use,
        "memory": place.in_memory,
        "job": place.kept.startswith("until the job ends"),
        "readonly": place.read_only_in_jobs,
        "diskless": place.memory_without_disk,
        "also": place.also,
        "link": place.link,
        "system": place.file_system,
        "command": place.command,
        "kept": place.kept if place.kept.startswith(("deleted", "as on", "no longer")) else None,
    }
    return {name: value for name, value in said.items() if value}


def _mib(size) -> float | None:
    return size and size.mib


def _rates(cluster: Cluster, key: str) -> dict[str, float]:
    """Peaks in TFLOP/s, and of `memory` in TB/s: of the device, or the lowest of those with its model's name, where the
    form is unknown."""
    gpu = cluster.gpus[key]
    whole = cluster.gpus[gpu.slice_of or key]
    limits = load_limits()
    alike = [each for each in limits.values() if f"{each.name} ".replace(",", " ").startswith(f"{whole.model} ")]
    found = [
        {**each.tflops, **each.ordinary_tflops, "memory": each.hbm_gb_per_s / 1000}
        for each in ([limits[whole.device]] if whole.device else alike)
    ]
    part = gpu.memory.mib / whole.memory.mib if gpu.is_slice else 1
    named = set.intersection(*map(set, found)) if found else set()
    return {
        name: part * min(each[name] for each in found) for name in ("float16", "float64", "memory") if name in named
    }


def _gpu(cluster: Cluster, key: str) -> dict:
    """`whole`: the GPU whose nodes have this slice; null where nodes of its own have it."""
    gpu = cluster.gpus[key]
    placed = any(key in node.gpus for node in cluster.node_types.values())
    if cluster.scheduler.kind == "slurm":
        request = [[each.name, each.value] for each in read([f"#SBATCH {gpu.request}"], "slurm")]
    else:
        request = [["l", gpu.request.removeprefix("-l ")]]
    return {
        "model": gpu.model,
        "memory": _mib(gpu.memory),
        "size": gpu.size,
        "request": request,
        "types": [name.removeprefix("gpu").removeprefix(":") for name in (gpu.gres or "", *gpu.synonyms)],
        "slice": gpu.is_slice,
        "whole": None if placed else gpu.slice_of,
        "counts": gpu.counts,
        "rates": _rates(cluster, key),
        "limits": numbers("gpus", gpu),
        "oldest_pytorch": gpu.oldest_pytorch or (gpu.slice_of and cluster.gpus[gpu.slice_of].oldest_pytorch),
        "no_pytorch": gpu.no_pytorch_from is not None,
        "share": gpu.fair_share and {"cores": gpu.fair_share.cores, "memory": _mib(gpu.fair_share.memory)},
    }


def _node(node: NodeType) -> dict:
    return {
        "count": node.count,
        "cores": node.cores,
        **({"threads": True} if node.counts_threads else {}),
        "memory": _mib(node.memory),
        "gpus": node.gpus,
        "architecture": node.architecture,
        "features": node.features,
        "tmp": _mib(node.tmp),
        "usual": _mib(node.local_disk),
        "gres": node.gres,
    }


def _disk(cluster: Cluster, key: str) -> float | None:
    """The most MiB of local disk that one job can have on such a node."""
    node = cluster.node_types[key]
    own = [place for place in cluster.storage if kind(place.path) == OWN_DISK and not place.in_memory]
    sizes = [each.full_node_sizes.get(key) or each.sizes.get(key) or each.size for each in own]
    found = [*filter(None, map(_mib, [node.tmp, *sizes])), *(1024 * size for size in node.gres.values())]
    return max(found, default=0 if any(each.memory_without_disk for each in own) else None)


def _r(own: Software) -> dict[str, dict[str, str]]:
    """The commands that load R: modules, or the user's own conda environment."""
    load = " && ".join(own.r.load) if own.r else ""
    kinds = ("cpu",) if "r-env" in own.cpu_modules or "partition/C" in load else ("cpu", "gpu")
    return {"r": dict.fromkeys(kinds, load)} if load.startswith(("module load", "export PATH=")) else {}


def _partition(key: str, each: Partition, used: set[str]) -> dict:
    trial = bool(each.access or TRIAL.search(key) or (strictest(each, "jobs", "at_most") or 3) < 3)
    return {
        "key": key,
        "name": each.name or key,
        "nodes": each.node_types,
        "used": key in used or (each.name or key) in used,
        "trial": trial,
        "open": not each.access,
        "default": each.default,
        "exclusive": each.exclusive,
        "byCores": each.memory_by_cores,
        "there": each.node_count,
        "limits": numbers("partitions", each),
        "perCore": _mib(each.default_memory_per_core),
    }


def _script(cluster: Cluster, *names: str) -> list[str]:
    """The lines of the first of these scripts that the system has."""
    return next(filter(None, (lines_of(cluster, name) for name in names)), [])


def _used(cluster: Cluster) -> set[str]:
    """The partitions in which the guide's own job scripts run."""
    names = {"one_gpu", "many_cpus", *(path.stem for path in scripts(cluster.key))} - {"interactive"}
    return {partition for name in names if (partition := directives(cluster, name).get("partition"))}


def software(cluster: Cluster) -> dict:
    """How the guide's scripts bring the software: the lines of `setup`, and what stands before a program.

    `gpu`, `nodes`, `cpu`: of a job on one node with GPUs, on several, on one without. `python` and `torchrun` are what
    is typed for these, `image` the container's file where there is one.
    """
    kinds = {"gpu": ("one_gpu",), "nodes": ("more_nodes", "full_node", "one_gpu"), "cpu": ("many_cpus",)}
    setup = {name: _setup(_script(cluster, *files)) for name, files in kinds.items()}
    python = _before(_script(cluster, "one_gpu"), "check_gpu.py") or "python3"
    torchrun = _before(_script(cluster, "full_node", "one_gpu"), "torchrun")
    cpu = _before(_script(cluster, "many_cpus"), "matmul.py") or "python3"
    return {
        "setup": setup,
        "python": python,
        "torchrun": f"{torchrun} torchrun".strip(),
        "cpu": cpu,
        "packages": cluster.software.image_packages,
        "image": next((line.partition("=")[2] for line in setup["gpu"] if line.startswith("image=")), None),
    }


def _setup(lines: list[str]) -> list[str]:
    """What stands between `set -euo pipefail` and the first empty line, but for what any job has."""
    if "set -euo pipefail" not in lines:
        return []
    body = lines[lines.index("set -euo pipefail") + 1 :]
    body = body[: body.index("")] if "" in body else body
    several = any("<<" in line for line in body)  # a step of its own needs its cores told before
    return [line for line in body if not line.startswith(OWN) or several and "SRUN_CPUS" in line]


def _before(lines: list[str], program: str) -> str:
    """What stands between `srun` and a program."""
    line = next((line for line in lines if re.search(rf"(^|\s){re.escape(program)}\b", line)), "")
    line = line.partition(program)[0] or next((line for line in lines if line.startswith("srun ")), "")
    return line.removeprefix("srun ").strip().removesuffix("\\").strip() if program in " ".join(lines) else ""
