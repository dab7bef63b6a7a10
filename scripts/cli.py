"""What `./guide` runs: it lists the commands, sets up once what they need, and hands over to one of them.

Only the standard library is imported here. All that is set up lies in one folder of the user's cache, and nothing in
the checkout. Of the installed package, `guide` runs `command`, and pip has brought what it needs.
"""

from __future__ import annotations

import fcntl
import hashlib
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
sys.dont_write_bytecode = sys.dont_write_bytecode or __name__ == "__main__"  # not where a test imports this

from scripts.errors import BadInput, did_you_mean, run  # noqa: E402
from scripts.paths import INSTALLED  # noqa: E402

REQUIREMENTS = ROOT / "requirements-check.txt"  # what most commands need; small enough to be installed unasked
OF_MCP = ROOT / "requirements-mcp.txt"  # all of it, and the SDK
APART = "-P" if INSTALLED else "-I"  # PYTHONPATH and the user's own packages may be where pip has put ours
STAMPS = {REQUIREMENTS: "site-installed", OF_MCP: "test-installed"}  # what `make` leaves in .venv once it has them


@dataclass(frozen=True)
class Command:
    module: str
    line: str
    words: tuple[str, ...] = ()  # what the module gets before the caller's own words
    torch: bool = False  # it runs in the caller's own Python, which has PyTorch
    needs: Path = REQUIREMENTS


COMMANDS = {
    "check": Command("scripts.check", "Check whether a job script is correct for a cluster: guide check puhti my.sh"),
    "docs": Command("scripts.documents", "Check the job scripts in documents: guide docs docs/ README.md"),
    "explain": Command("scripts.engine", "Explain a message: guide explain puhti 'MESSAGE'", ("explain",)),
    "write": Command("scripts.engine", "Write a job script: guide write cluster=puhti gpu=v100 time=4h", ("write",)),
    "move": Command("scripts.engine", "Rewrite a script for another cluster: guide move puhti roihu my.sh", ("move",)),
    "choices": Command("scripts.engine", "List what a cluster offers, as JSON: guide choices puhti", ("choices",)),
    "fit": Command("scripts.engine", "List the GPUs that fit a language model: guide fit 'Llama 3.1 8B'", ("fit",)),
    "twin": Command("scripts.twin", "Run a command as on a cluster's login node: guide twin puhti sinfo"),
    "mcp": Command("scripts.mcp_server", "Serve facts and the judge to an assistant: an MCP server", needs=OF_MCP),
    "measure": Command(
        "scripts.measure", "Measure the programs on this machine's GPU, with a Python that has PyTorch", torch=True
    ),
    "record": Command("scripts.measure.record", "Check a record of `guide measure` before you submit it"),
    "bench": Command("scripts.bench", "Print tasks for assistants that write job scripts, and grade their answers"),
    "compare": Command(
        "scripts.compare", "Compare the output of a real cluster with the facts: guide compare lumi FILE"
    ),
    "adopt": Command("scripts.adopt", "Write a new cluster's facts from its scheduler's output: guide adopt NAME FILE"),
    "facts": Command(
        "scripts.facts", "Check every facts file, and list the sources that were last read over a year ago"
    ),
    "sources": Command("scripts.sources", "Check whether the pages that the facts come from have changed"),
    "export": Command(
        "scripts.export", "Write settings for Nextflow, Snakemake, ReFrame or CI: guide export lumi --for ci"
    ),
    "site": Command("scripts.site", "Build a website from your own facts: guide site --facts DIR --into DIR"),
    "reframe": Command(
        "scripts.reframe", "Write a ReFrame suite from a cluster's facts, and run it there or on this machine"
    ),
}
if INSTALLED:  # they need what only the repository has
    for name in ("bench", "measure", "record", "reframe"):
        del COMMANDS[name]
CLEAN = "Stop this checkout's simulated schedulers, and remove everything that this command has set up"

# What the command's Python runs. The checkout may be another user's: what Python compiles goes into the cache.
HAND_OVER = """
import runpy, sys
_, compiled, checkout, module, *arguments = sys.argv
sys.pycache_prefix = compiled or None
sys.path.insert(0, checkout)
sys.argv = [module, *arguments]
try:
    runpy.run_module(module, run_name="__main__", alter_sys=True)
except KeyboardInterrupt:  # while it imports
    sys.exit(130)
"""


def listing() -> str:
    lines = {name: command.line for name, command in COMMANDS.items()} | {"clean": CLEAN}
    head = (
        "Commands of the GPU Cluster Guide. `guide NAME --help` describes each.\n"
        "They use this guide's facts. With `--facts DIR` or GPU_GUIDE_FACTS, they use DIR/KEY/cluster.yml.\n"
    )
    return "\n".join([head, *(f"  guide {name:9} {line}" for name, line in lines.items())])


def cache() -> Path:
    """This user's folder for all that is set up; made if need be. Raises BadInput if it cannot be, or is another's."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(given if given.startswith("/") else os.path.expanduser("~/.cache"), "gpu-cluster-guide")
    folder = Path(os.path.realpath(folder))  # a link to a larger disk stays when `clean` removes what it leads to
    cure = "Set XDG_CACHE_HOME to a folder of your own."
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        found = folder.stat()
    except OSError as fault:
        raise BadInput(folder, None, f"the guide's cache cannot be created: {fault.strerror}.", cure) from None
    if found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise BadInput(folder, None, "other users can write to the guide's cache.", cure)
    return folder


def installed_by_make(needs: Path) -> Path | None:
    """The Python of the checkout's .venv, if it has at least these packages; this one, if pip has installed them."""
    if INSTALLED:
        return Path(sys.executable)
    python, stamp = ROOT / ".venv/bin/python", ROOT / ".venv" / STAMPS[needs]
    new = os.access(python, os.X_OK) and stamp.exists() and stamp.stat().st_mtime >= needs.stat().st_mtime
    return python if new else None


def environment(needs: Path) -> Path:
    """Where the environment is: one for each version of the packages, of Python, and kind of processor."""
    digest = hashlib.sha256(needs.read_bytes()).hexdigest()[:12]
    version = f"python{sys.version_info.major}.{sys.version_info.minor}-{os.uname().machine}"
    return cache() / f"{needs.stem}-{digest}-{version}"


def ready(folder: Path) -> Path | None:
    """The environment's Python, if it was made to its end and still runs."""
    python = folder / "bin/python"
    return python if (folder / "ready").exists() and os.access(python, os.X_OK) else None


@contextmanager
def alone(folder: Path) -> Iterator[int]:
    """One process at a time sets this up. Gives the lock: whoever inherits it keeps it, also when we are killed."""
    with open(f"{folder}.lock", "wb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            print("Waiting for another `guide`, which is setting this up.", file=sys.stderr)
            fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.fileno()


def set_up(name: str) -> Path:
    """The Python of a new environment with the packages; whole, or not there."""
    needs = COMMANDS[name].needs
    folder = environment(needs)
    for module in ("venv", "ensurepip"):
        if not importlib.util.find_spec(module):
            what = f"this Python cannot create an environment: it has no {module}."
            cure = "On Debian: apt-get install python3-venv. Or put a different Python first on PATH."
            raise BadInput(sys.executable, None, what, cure)
    with alone(folder) as lock:
        if python := ready(folder):
            return python
        print(f"Setting up what `guide {name}` needs in {folder} (once).", file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        options = ("--quiet", "--disable-pip-version-check", "--no-input", "--retries", "1")
        pip = [folder / "bin/python", "-I", "-m", "pip", *options]
        install = ("install", "--no-user", "--no-cache-dir", "--no-compile", "-r", needs)
        try:
            attempt([sys.executable, "-I", "-m", "venv", "--without-pip", folder], lock)
            attempt([folder / "bin/python", "-I", "-m", "ensurepip"], lock)
            attempt([*pip, *install], lock)
            attempt([*pip, "uninstall", "--yes", "setuptools", "pip"], lock)  # twice as large as all the rest
            (folder / "ready").touch()
        except BaseException:
            shutil.rmtree(folder, ignore_errors=True)
            raise
    return folder / "bin/python"


NO_ROOM = ("No space left on device", "Disk quota exceeded")
NO_NETWORK = ("NewConnectionError", "NameResolutionError", "ConnectTimeoutError", "ReadTimeoutError", "ProxyError")


def attempt(command: list, lock: int) -> None:
    """One step of setting up. Raises BadInput with what a person can do about it."""
    done = subprocess.run(command, capture_output=True, encoding="utf-8", errors="replace", pass_fds=[lock])
    if done.returncode == 0:
        return
    all_said = f"{done.stdout}\n{done.stderr}"
    if any(words in all_said for words in NO_ROOM):
        cure = "Free 60 MB of space, or set XDG_CACHE_HOME to a folder of your own."
        raise BadInput(cache(), None, "there is not enough space for the setup.", cure)
    if any(words in all_said for words in NO_NETWORK):
        what = "the packages cannot be fetched: the package index does not respond."
        raise BadInput("guide", None, what, "Run the command once where there is network access, such as a login node.")
    said = [line for line in all_said.splitlines() if line.strip()] or ["no reason given"]
    reason = next((line for line in said if line.startswith("ERROR:")), said[-1])
    what = f"setting up failed: {reason.removeprefix('ERROR: ').rstrip('.')}."
    raise BadInput("guide", None, what, "Fix the problem, and try again.")


def python_for(name: str, words: list[str]) -> list:
    """The interpreter that has what a command needs, with its options. Raises BadInput where there is none."""
    if not COMMANDS[name].torch or {"-h", "--help"} & {*words}:
        needs = COMMANDS[name].needs
        if INSTALLED and needs is OF_MCP and not importlib.util.find_spec("mcp"):
            raise BadInput("guide", None, "the package mcp is missing.", "Install gpu-cluster-guide[mcp].")
        return [installed_by_make(needs) or ready(environment(needs)) or set_up(name), APART]
    wanted = ("torch", "pydantic", "yaml", "quickjs")
    probe = f"import importlib.util as util; print(*[name for name in {wanted} if not util.find_spec(name)])"
    found = subprocess.run([sys.executable, "-c", probe], capture_output=True, encoding="utf-8", errors="replace")
    if missing := found.stdout.split():
        install = f"python3 -m pip install -r {shlex.quote(str(ROOT / 'requirements-gpu.txt'))}"
        what = f"this Python has no {', '.join(missing)}."
        raise BadInput(sys.executable, None, what, f"Load or activate the Python that has PyTorch, then run: {install}")
    return [sys.executable, "-P"]


def hand_over(python: list, module: str, arguments: list[str]) -> list[str]:
    compiled = "" if INSTALLED else str(cache() / "compiled")  # pip has compiled it
    return [*map(str, python), "-c", HAND_OVER, compiled, str(ROOT), module, *arguments]


def clean() -> int:
    folder, status = cache(), 0
    every = [installed_by_make(REQUIREMENTS), *map(ready, folder.glob("requirements-*"))]
    if python := next(filter(None, every), None):
        status = subprocess.call(hand_over([python, APART], "scripts.twin", ["--stop-all"]))
    size = sum(path.lstat().st_size for path in folder.rglob("*"))
    shutil.rmtree(folder)
    print(f"Removed {folder}: {size / 1e6:.0f} MB." if size else "There was nothing to remove.")
    return status


def without_facts(words: list[str]) -> list[str]:
    """The words without `--facts DIR`. The folder goes into the variable that scripts/paths.py reads."""
    for at, word in enumerate(words):
        option, given, folder = word.partition("=")
        if option == "--facts":
            folder = folder if given else "".join(words[at + 1 : at + 2])
            if not os.path.isdir(folder):
                cure = "Name one that has KEY/cluster.yml: --facts DIR"
                raise BadInput("--facts", None, f"there is no folder `{folder}`.", cure)
            os.environ["GPU_GUIDE_FACTS"] = os.path.abspath(folder)
            return [*words[:at], *words[at + (1 if given else 2) :]]
    return words


def main() -> int:
    name, *arguments = without_facts(sys.argv[1:]) or ["--help"]
    if name in ("-h", "--help", "help"):
        print(listing())
        return 0
    if name == "clean":
        if arguments:
            print(f"usage: guide clean\n\n{CLEAN}.")
            return 0 if arguments[0] in ("-h", "--help") else 2
        return clean()
    if name not in COMMANDS:
        raise BadInput("guide", None, f"there is no command `{name}`.", did_you_mean(name, [*COMMANDS, "clean"]))
    command = COMMANDS[name]
    try:
        os.getcwd()
    except FileNotFoundError:  # what each command would say of that has nothing to do with its files
        raise BadInput("guide", None, "this directory has been removed.", "Change to another one.") from None
    todo = hand_over(python_for(name, arguments), command.module, [*command.words, *arguments])
    os.execv(todo[0], todo)


def command() -> None:
    run(main, status=2)


if __name__ == "__main__":
    command()
