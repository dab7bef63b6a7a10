"""The facts that advice rests on, each with its source, and the doubt where there is one."""

import re
from functools import cache
from pathlib import PurePosixPath

from scripts.facts import Cluster, Gpu, NodeType, Partition, load_readable, successor_name
from scripts.facts.cuda import cuda_told
from scripts.facts.model import Requirement, Software
from scripts.facts.source import source
from scripts.measure.language_models import load_models

GROUPS = ("status", "scheduler", "policy", "storage", "software", "gpus", "node_types", "network", "partitions")
# Many systems set these, whether their pages say so or not.
COMMON = {"HOME", "SCRATCH", "PROJECT", "TMPDIR", "USER"}
SIGNS = {"#": "[0-9]", "*": "[A-Za-z0-9_-]+"}  # of the form of an account
COMMON_FOLDERS = {"/tmp", "/scratch"}  # every system has them
SIGNS_OF_PLACES = "read_only_in_jobs no_results one_node in_memory memory_without_disk shared_directory".split()
PER = ("node", "gpu", "core")


def advice(cluster: Cluster) -> dict:
    """What the advice_*.js files look at of one system; memory is in MiB, and what is nothing is left out."""
    policy = cluster.policy
    default = policy.default_memory_per_core
    found = {
        "off": None if cluster.running else _some(after=successor_name(cluster)),
        "internet": policy.internet_on_compute_nodes,
        "submit": policy.submit_in_jobs,
        "ssh": policy.ssh_to_nodes,
        "tunnels": policy.remote_tunnels,
        "profilers": policy.profilers,
        "mpirun": policy.mpirun,
        "conda": policy.conda,
        "login": policy.login_shell_without_export or None,
        "version": cluster.scheduler.version,
        "account": _some(forms=_forms(cluster), endings=policy.account_endings, sample=policy.sample_account),
        "memory": _rule(policy.memory),
        "memory_per_core": default and default.mib,
        "partition": _rule(policy.partition),
        "network": cluster.network,
        "gpu_model": _rule(policy.gpu_model),
        "gpus": {key: _gpu(gpu) for key, gpu in cluster.gpus.items()},
        "nodes": {key: _node(node) for key, node in cluster.node_types.items()},
        "partitions": {key: _partition(cluster, each) for key, each in cluster.partitions.items()},
        "software": _software(cluster.software),
        "places": [_place(place) for place in cluster.storage],
        "foreign": _foreign(cluster),
        "others": _others(cluster),
        "on_request": _on_request(cluster) or None,
        "sources": {name: source(cluster, name) for name in GROUPS if name in cluster.sources},
        "doubts": {path: why for path, why in cluster.unconfirmed.items() if path.partition(".")[0] in GROUPS},
    }
    return {name: value for name, value in found.items() if value is not None}


def common() -> dict:
    """By which words another system's scripts are known: forms of accounts, modules and folders of images; and the
    parameters of the models that were counted.
    """
    clusters = _systems()
    modules = {name: each.name for each in reversed(clusters) for name in each.software.own_modules}
    images = {folder: each.name for each in reversed(clusters) for folder in _folders(each.software)}
    models = [{"name": each.name, "parameters": each.parameters} for each in load_models()]
    signs = {each.key: _signs(each) for each in clusters}
    return {"modules": modules, "images": images, "signs": signs, "models": models, "cuda": cuda_told()}


def _signs(cluster: Cluster) -> dict:
    """What a script names that was written for this system."""
    types = sorted({name for gpu in cluster.gpus.values() for name in _types(gpu)})
    modules = sorted({*cluster.software.modules, *cluster.software.own_modules})
    rooms = [each.name or key for key, each in cluster.partitions.items()]
    found = _some(accounts=_forms(cluster), partitions=rooms, gpus=types, modules=modules)
    return {"name": cluster.name, "kind": cluster.scheduler.kind} | found


@cache
def _systems() -> tuple[Cluster, ...]:
    """Those that run come first."""
    return tuple(sorted(load_readable().values(), key=lambda cluster: not cluster.running))


@cache
def _named() -> tuple[tuple[Cluster, set[str], set[str]], ...]:
    """Each with its folders and its variables, read once: every system is held against all others."""
    return tuple((each, _first_folders(each), _variables(each)) for each in _systems())


def _first_folders(cluster: Cluster) -> set[str]:
    texts = [text for place in cluster.storage for text in (place.path, place.command or "")]
    return {name for text in texts for name in re.findall(r"(?:^|[ ,])(/[a-z-]+)(?=/|,|$)", text)}


def _variables(cluster: Cluster) -> set[str]:
    return {place.path[1:] for place in cluster.storage if re.fullmatch(r"\$\w+", place.path)}


def _others(cluster: Cluster) -> dict[str, str]:
    """Variables of other systems' storage -> the first system that has it."""
    here = set().union(COMMON, *(own for each, _, own in _named() if each.centre == cluster.centre))
    found = {name: each.name for each, _, own in reversed(_named()) for name in own - here}
    return dict(sorted(found.items()))


def _on_request(cluster: Cluster) -> dict[str, str]:
    """Variables that notes of partitions name with the resource that sets them."""
    own = {place.path[1:] for place in cluster.storage}
    notes = " ".join(str(each.note or "") for each in cluster.partitions.values())
    found = re.findall(r"`--gres=(\w+):\d+`[^`]*`\$(\w+)`", notes)
    return {variable: resource for resource, variable in found if variable not in own}


def _foreign(cluster: Cluster) -> dict[str, str]:
    """First folders of other systems' storage that no system of this centre has -> the first system that has it."""
    centre = (own for each, own, _ in _named() if each.centre == cluster.centre and each.running)
    here = COMMON_FOLDERS.union(_first_folders(cluster), *centre)
    found = {name: each.name for each, own, _ in reversed(_named()) for name in own - here}
    return dict(sorted(found.items()))


def _some(**parts: object) -> dict:
    return {name: part for name, part in parts.items() if part not in (None, False, [], {}, set())}


def _rule(requirement: Requirement) -> dict:
    return requirement.model_dump(mode="json", exclude_none=True, include={"rule", "gpu_jobs", "note"})


def _forms(cluster: Cluster) -> list[str]:
    """The forms of accounts as patterns that Python and the engine read alike."""
    return ["".join(SIGNS.get(sign, re.escape(sign)) for sign in form) for form in cluster.policy.account_forms]


def _types(gpu: Gpu) -> set[str]:
    return {name.removeprefix("gpu:") for name in (gpu.gres or "", *gpu.synonyms)} - {"", "gpu"}


def _gpu(gpu: Gpu) -> dict:
    share = gpu.fair_share
    return {"types": sorted(_types(gpu))} | _some(
        model=gpu.model,
        memory=gpu.memory,
        share=share and _some(cores=share.cores, memory=share.memory and share.memory.mib),
        capability=_numbers(gpu.compute_capability),
        cuda=_numbers(gpu.oldest_cuda),
        no_pytorch=_numbers(gpu.no_pytorch_from),
        offload=gpu.offload_arch,
    )


def _numbers(version: str | None) -> list[int] | None:
    return [int(part) for part in version.split(".")] if version else None


def _node(node: NodeType) -> dict:
    memory = node.memory and node.memory.mib
    return {"gpus": dict(node.gpus), "architecture": node.architecture} | _some(
        memory=memory,
        cpu=node.cpu,
        cores=node.cores,
        sockets=node.sockets,
        disk=bool(node.local_disk),
        gpu_cores=_cores(node.gpu_cores),
    )


def _cores(ranges: list[str]) -> list[list[int]]:
    return [list(range(int(first), int(last) + 1)) for first, _, last in (each.partition("-") for each in ranges)]


def _partition(cluster: Cluster, own: Partition) -> dict:
    sizes = {per: size.mib for per in PER if (size := getattr(own, f"default_memory_per_{per}"))}
    return {"nodes": own.node_types} | _some(
        exclusive=own.exclusive,
        access=own.access,
        special=bool(own.purpose),
        only_for=own.only_for,
        needs_gpu=bool(own.gpu_required or own.min_gpus),
        defaults=sizes,
    )


def _software(own: Software) -> dict:
    return {
        "modules": own.modules,
        "paths": own.module_paths,
        "load_first": own.load_first,
        "collections": own.collections,
        "renamed": [each.model_dump(mode="json", exclude_none=True) for each in own.renamed],
        "families": sorted({name.partition("/")[0] for name in [*own.modules, *own.own_modules, *own.load_first]}),
        "gpu_only": own.gpu_modules,
        "cpu_only": own.cpu_modules,
        "own": own.own_modules,
        "with_cuda": own.with_cuda,
        "folders": sorted(_folders(own)),
    } | _some(
        source_activate=own.source_activate,
        every=sorted({name.partition("/")[0] for name in own.every_module}),
        container_tool=own.containers and own.containers.split()[0].rstrip(",;"),
        container_option=own.container_option,
        container_hides=own.container_hides,
        container_module=own.container_module,
        container_documented=own.container_module in own.documented,
    )


def _folders(own: Software) -> set[str]:
    return {str(PurePosixPath(image).parent) for image in own.images}


def _place(place) -> dict:
    return {
        "path": place.path,
        **{name: True for name in SIGNS_OF_PLACES if getattr(place, name)},
        **_some(
            size=place.size and place.size.mib,
            files=place.files,
            sizes={key: size.mib for key, size in place.sizes.items()},
            full={key: size.mib for key, size in place.full_node_sizes.items()},
            deleted_after=place.deleted_after,
        ),
        **({"job": True} if place.kept.startswith("until the job ends") else {}),
    }
