"""Modules: renamed ones, another operator's, those for GPU nodes only, and what must or must not stand beside."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.check.advice.case import Case
from scripts.check.advice.commands import Command
from scripts.check.advice.systems import systems
from scripts.check.report import Report

LOADS = {"load", "add", "try-load", "swap", "switch"}
OTHERS = set(
    "avail av spider list purge unload rm del reset restore save show whatis help keyword use unuse is-loaded".split()
)


def loaded(case: Case) -> list[tuple[str, Command]]:
    """(name or name/version, command) of each module that is sure to be loaded."""
    found = []
    for command in case.certain:
        if command.name not in ("module", "ml"):
            continue
        words = [word for word in command.words[1:] if not word.startswith("-")]
        if words and (words[0] in LOADS):
            words = words[1:]
        elif command.name == "module" or words and words[0] in OTHERS:
            continue
        found += [(word, command) for word in words if "$" not in word]
    return found


def used_folders(case: Case) -> list[str]:
    """The folders that `module use` names."""
    return [
        word
        for command in case.commands
        if command.words[:2] in (("module", "use"), ("ml", "use"))
        for word in command.words[2:]
        if not word.startswith("-")
    ]


def base(module: str) -> str:
    return module.partition("/")[0]


def advise(case: Case) -> Iterator[Report]:
    software, modules = case.cluster.software, loaded(case)
    yield from _folder_missing(case, modules)
    if any(folder not in software.module_paths for folder in used_folders(case)):
        return  # with modules of their own nobody knows what is there
    for module, command in modules:
        yield from _renamed(case, module, command)
        yield from _of_another(case, module, command)
        if base(module) in software.gpu_modules and not case.wants_gpu and not any(n.gpus for n in case.nodes):
            what = f"{module} is there for GPU nodes only, and this job runs on others."
            cure = "Use an environment of your own."
            yield case.report("module-gpu-nodes-only", what, cure, command, "software.gpu_modules")
    bringing = next((name for name, _ in modules if base(name) in software.with_cuda), None)
    for module, command in modules:
        if bringing and base(module) in ("cuda", "cudnn"):
            what = f"{bringing} brings CUDA and cuDNN with it; {module} beside it can break it."
            yield case.report("module-cuda-beside", what, f"Take {module} out.", command, "software.with_cuda")


def _renamed(case: Case, module: str, command: Command) -> Iterator[Report]:
    for entry in case.cluster.software.renamed:
        if entry.old in (module, base(module)):
            since = f" since {entry.since}" if entry.since else ""
            where = f" {entry.only}" if entry.only else ""
            what = f"{case.cluster.name} has no module {entry.old} any more{where}{since}."
            kind = "doubtful" if entry.only else "unwise"
            cure = f"Load {entry.new}."
            yield case.report("module-renamed", what, cure, command, "software.renamed", kind)
            return


def _of_another(case: Case, module: str, command: Command) -> Iterator[Report]:
    own = case.cluster.software
    if base(module) in {base(name) for name in [*own.modules, *own.own_modules, *own.load_first]}:
        return
    whose = [cluster.name for cluster in systems() if base(module) in cluster.software.own_modules]
    if whose:
        what = f"{base(module)} is a module of {whose[0]}; {case.cluster.name} has none of that name."
        cure = "Look for its own: module spider."
        yield case.report("module-of-another", what, cure, command, group="software")


def _folder_missing(case: Case, modules: list[tuple[str, Command]]) -> Iterator[Report]:
    """The modules' folder, or the module that opens it, is not named above."""
    software = case.cluster.software
    if not software.load_first or set(used_folders(case)) & set(software.module_paths):
        return
    opened = False
    for module, command in modules:
        opened |= base(module) in {base(name) for name in software.load_first}
        hidden = module in software.modules or not software.module_paths
        if hidden and not opened:
            instead = [f"module load {name}" for name in software.load_first]
            instead += [f"module use {path}" for path in software.module_paths]
            what = f"{module} may not be found: nothing above opens its folder."
            cure = f"Write before it: {' or '.join(instead)}"
            yield case.report("module-not-opened", what, cure, command, "software.load_first")
            return
