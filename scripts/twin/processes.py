"""The processes of twins: which they are, and how they end. Nothing here asks the facts, which may be broken."""

import os
import shutil
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import psutil

from scripts.twin import home

PATIENCE_SECONDS = 90
MARK = "GPU_GUIDE_TWIN"  # an environment variable that every process of a twin carries: its folder


def living(number: int) -> psutil.Process | None:
    """The process of that number, unless it is gone or waits to be taken leave of."""
    try:
        process = psutil.Process(number)
        return process if process.status() != psutil.STATUS_ZOMBIE else None
    except psutil.Error:
        return None


def variables(process: psutil.Process) -> list[str]:
    """A process's environment as `NAME=value`; empty if it may not be read.

    psutil's own stops at a title that a process gave itself.
    """
    try:
        return os.fsdecode(Path(f"/proc/{process.pid}/environ").read_bytes()).split("\0")
    except OSError:
        return []


def owns(folder: Path, process: psutil.Process) -> bool:
    """Is this one of that twin's? slurmd starts the process of a job without the mark, and lets it go."""
    found = variables(process)
    return f"{MARK}={folder}" in found or f"SLURM_CONF={folder}/slurm.conf" in found and process.name() == "slurmstepd"


def processes(folder: Path) -> list[psutil.Process]:
    """Every process of the twin in that folder: by their mark, and what they started, such as jobs."""
    found = {}
    for process in psutil.process_iter():
        try:
            if process.pid not in found and owns(folder, process) and process.uids().real == os.getuid():
                found |= {each.pid: each for each in (process, *process.children(recursive=True))}
        except psutil.Error:
            continue
    found.pop(os.getpid(), None)
    return list(found.values())


def end_processes(folder: Path) -> bool:
    """End whatever runs of the twin in that folder. True if there was something."""
    some, end = False, time.monotonic() + PATIENCE_SECONDS
    while (
        found := processes(folder)
    ) and time.monotonic() < end:  # again, for what is killed may just have started something
        some = True
        for process in found:
            try:
                process.kill()
            except psutil.Error:
                pass
        while any(living(process.pid) for process in found) and time.monotonic() < end:
            time.sleep(0.005)
        psutil.wait_procs(found, timeout=0)  # those that are our own children
    return some


def clear(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.with_name(f"{folder.name}.lock").unlink(missing_ok=True)


def stop(folder: Path) -> bool:
    """End the twin in that folder and remove it. Asks nothing of the facts. True if something ran."""
    if not folder.parent.exists():
        return end_processes(folder)
    with home.locked(folder):
        some = end_processes(folder)
        clear(folder)
    return some


def stop_below(folder: Path) -> list[str]:
    """End every twin of this user below a folder, also those whose facts or folder are gone.

    Returns the names of those that ran.
    """
    found = {path.parent for path in folder.rglob("keeper.json")} | {
        path.with_suffix("") for path in folder.rglob("*.lock")
    }
    for process in psutil.process_iter():
        try:
            if process.uids().real != os.getuid():
                continue
        except psutil.Error:
            continue
        marks = (Path(each.removeprefix(f"{MARK}=")) for each in variables(process) if each.startswith(f"{MARK}="))
        found |= {mark for mark in marks if mark.is_relative_to(folder) and ".." not in mark.parts}
    paths = sorted(found)
    with ThreadPoolExecutor(8) as pool:  # each waits for its daemons' end
        return [path.name for path, ran in zip(paths, pool.map(stop, paths), strict=True) if ran]
