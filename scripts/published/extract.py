"""What is kept of another's job script: its first line, its directives' options, and its commands' first words.

No sentence, file name or address of theirs is kept. What is left is a job script again that asks for the same, loads
the same modules and starts its programs, each by its first word or as `./program`, in the same way.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.facts.schedulers import WORDS

NOTE = " # note"  # stands where a directive had a comment behind it
ADDRESS = re.compile(r"[\w.+%-]+@[\w-]+\.[\w.-]+")  # `--signal=USR1@90` is none
QUIET = ("module", "ml", "export", "source", "pip", "conda", "mamba", "virtualenv", "wait")  # run no program of a job
MPI = ("srun", "mpirun", "mpiexec", "prun")
CONTAINER = ("apptainer", "singularity")
RUNS = {name: f"{name} program.py" for name in ("python", "python3", "torchrun", "accelerate", "deepspeed")}
INSTALL = re.compile(r"(pip3?|conda|mamba|uv pip|virtualenv|git|wget|curl)\b(?: (install|create|activate|clone)\b)?")
THREADS = ("OMP_NUM_THREADS", "SRUN_CPUS_PER_TASK", "CUDA_VISIBLE_DEVICES")
# What starts no program of a job's own.
SHELL = set(
    "alias break cd continue declare echo eval exec exit export false function let local popd printf pushd read "
    "readonly return set shift shopt test time trap true type typeset ulimit umask unset "
    "case do done elif else esac fi for if in select then until while "
    "awk basename bc cat chmod column cp cut date dirname du env expr find free grep gunzip gzip head hostname ln ls "
    "lscpu mkdir mktemp mv paste printenv pwd realpath rm rmdir rsync sed seq sleep sort tail tar tee touch tr uname "
    "uniq unzip wc which whoami xargs zip".split()
)
EXPORT = re.compile(r"export (\w+)=\"?(\$\{?SLURM_\w+\}?|\d+)\"?$")


@dataclass(frozen=True)
class Drawn:
    """`shell` is the first line; `options` has a directive's options each, without its prefix; `commands` the body."""

    shell: str
    options: tuple[str, ...]
    commands: tuple[str, ...]

    def script(self, kind: str) -> str:
        """A job script of this scheduler that asks for the same."""
        directives = [f"{WORDS[kind].prefix} {option}" for option in self.options]
        return "\n".join([self.shell, *directives, *self.commands]) + "\n"


def draw(text: str, kind: str) -> Drawn:
    """What is kept of a job script of this scheduler."""
    lines = text.splitlines()
    commands = list(dict.fromkeys(_commands(lines[1:])))
    if all(command.startswith(QUIET) for command in commands):
        commands.append("./program")
    return Drawn(lines[0].strip(), tuple(_options(lines, kind)), tuple(commands))


def _options(lines: list[str], kind: str) -> Iterator[str]:
    prefix = re.escape(WORDS[kind].prefix)
    for line in lines:
        if found := re.match(rf"{prefix}[ \t]+([^#\s].*?)(\s+#.*)?\s*$", line):
            yield ADDRESS.sub("someone@example.org", found[1]) + (NOTE if found[2] else "")
        elif not WORDS[kind].reads_all and line.strip() and not line.lstrip().startswith("#"):
            return


def _commands(lines: list[str]) -> Iterator[str]:
    """The commands that a check may judge, in order, each in the one form that says what it is."""
    end = None  # the word that ends a here-document
    for line in "\n".join(lines).replace("\\\n", " ").split("\n"):
        if end:
            end = None if line.strip() == end else end
            continue
        if here := re.search(r"<<-?\s*['\"]?(\w+)", line):
            end = here[1]
        line = re.sub(r"(^|\s)#.*", "", line).strip()
        behind = " &" if re.search(r"[^&>]&$", line) else ""
        if said := _said(line):
            yield said + ("" if said.startswith(QUIET) else behind)


def _said(line: str) -> str | None:
    first, _, rest = line.partition(" ")
    if not first:
        return None
    words = rest.split()
    if first in ("module", "ml"):
        return re.split(r"[;&|>]", line)[0].strip()
    if first in MPI:
        return " ".join([first, *_flags(words), "./program"])
    if first in CONTAINER and words:
        verb = next((word for word in words if word in ("exec", "run")), "exec")
        return " ".join([first, verb, *(word for word in words if word in ("--nv", "--rocm")), "image.sif ./program"])
    if first in RUNS:
        return RUNS[first]
    if found := INSTALL.match(line):
        return " ".join([found[0], *(["--no-index"] if "--no-index" in words else []), "name"])
    if first in ("source", ".") and "activate" in rest:
        return "source environment/bin/activate"
    if (found := EXPORT.match(line)) and (found[1] in THREADS or "SLURM" in found[2]):
        return f"export {found[1]}={found[2]}"
    if first.startswith("./"):
        return "./program"
    name = first.rpartition("/")[2] if first[0] in "/$~" else first
    if re.fullmatch(r"[a-z][\w.+-]*|R|Rscript", name) and name not in SHELL:
        return f"{name} input" if rest else name
    return None


def _flags(words: list[str]) -> Iterator[str]:
    """The options that stand before the program: those whose values are numbers, words, or variables of Slurm."""
    words = iter(words)
    for word in words:
        if re.fullmatch(r"-[a-zA-Z]", word):
            value = next(words, "")
            if re.fullmatch(r"\d+|\$\{?SLURM_\w+\}?", value):
                yield f"{word} {value}"
        elif re.fullmatch(r"-[a-zA-Z]\d+|--[\w-]+=([\w:,.-]+|\$\{?SLURM_\w+\}?)|--(exact|exclusive|overlap)", word):
            yield word
        elif not word.startswith("-"):
            return
