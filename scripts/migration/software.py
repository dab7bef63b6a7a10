"""Modules, environments, containers, and what must be recompiled."""

from collections.abc import Iterator

from scripts.facts.model import Cluster, Gpu, Renamed
from scripts.migration.line import Line, doubtful, script

ENVIRONMENT = "export PATH="


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    renamed = {each.old: each for each in new.software.renamed}
    for module in old.software.modules:
        name = module.partition("/")[0]
        yield _module(new, module, renamed.pop(module, None) or renamed.pop(name, None))
    for rename in renamed.values():
        yield _module(new, rename.old, rename)
    yield from _environment(old, new)
    yield from _container(old, new)
    yield from _build(old, new)


def _module(new: Cluster, module: str, rename: Renamed | None) -> Line:
    """The module that scripts load on the new system, by its name now; another of that name where they load none."""
    name = (rename.new if rename else module).partition("/")[0]
    loaded = [each for each in new.software.modules if each.partition("/")[0] == name]
    if not (rename or loaded):
        return Line(
            "module", f"module load {module}", "", f"Our scripts for {new.name} load no such module.", lost=True
        )
    now = loaded[0] if loaded else name
    why = "The same module." if now == module else "The version has changed."
    if rename:
        why = f"The name has changed{f', {rename.only}' if rename.only else ''}."
    unsure = doubtful(new, "software.modules", "software.renamed")
    return Line("module", f"module load {module}", f"module load {now}", why, doubtful=unsure)


def _environment(old: Cluster, new: Cluster) -> Iterator[Line]:
    """The line that puts an environment first, where the scripts have it."""
    before, after = (
        next((line for line in script(cluster, "one_gpu.sh") if line.startswith(ENVIRONMENT)), "")
        for cluster in (old, new)
    )
    if before and after:
        yield Line("environment", before, after, f"Rebuild the environment on {new.name}.")


def _container(old: Cluster, new: Cluster) -> Iterator[Line]:
    """The option with which a container sees the GPU."""
    before, after = (
        {"none": "apptainer exec", None: ""}.get(option, f"apptainer exec {option}")
        for option in (old.software.container_option, new.software.container_option)
    )
    if before and after:
        here, there = ({n.architecture for n in each.node_types.values() if n.gpus} for each in (old, new))
        why = f"Rebuild the container for GPU nodes with {', '.join(there - here)} processors." if there - here else ""
        why = why if before == after else "The GPUs need a different option."
        yield Line("container", before, after, why, doubtful=doubtful(new, "software.container_option"))


def _short(gpu: Gpu) -> str:
    return gpu.model.removeprefix("NVIDIA ")


def _build(old: Cluster, new: Cluster) -> Iterator[Line]:
    """Compilers' options for GPUs that the new system has not."""
    after = {
        f"-arch=sm_{gpu.compute_capability.replace('.', '')}": gpu
        for gpu in new.gpus.values()
        if gpu.compute_capability
    }
    for gpu in old.gpus.values():
        before = f"-arch=sm_{(gpu.compute_capability or '').replace('.', '')}"
        if gpu.compute_capability and after and before not in after:
            needs = [
                f" {option} needs CUDA {each.oldest_cuda} or newer."
                for option, each in after.items()
                if each.oldest_cuda
            ]
            which = " and ".join(f"`{option}` is for the {_short(each)}" for option, each in after.items())
            also = f" {which}." if len(after) > 1 else ""
            why = f"Recompile programs that you compiled for the {_short(gpu)}.{also}{''.join(needs)}"
            yield Line("build", before, "\n".join(after), why)
