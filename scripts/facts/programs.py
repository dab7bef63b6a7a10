"""The table of programs, programs.yml: how programs of the field are told threads, processes, GPUs and memory."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, NonNegativeInt, PositiveInt, model_validator

from scripts.errors import BadInput
from scripts.facts.units import Date
from scripts.models import Strict, line_of, load_model
from scripts.paths import shown

FILE = Path(__file__).with_name("programs.yml")
Unit = Literal["B", "word", "KiB", "MiB", "GiB"]  # a word has 8 bytes
Per = Literal["program", "thread", "process"]


def _one_number(pattern: str) -> str:
    """A regular expression whose first group is the number; it must mean the same in JavaScript."""
    try:
        groups = re.compile(pattern).groups
    except re.error as fault:
        raise ValueError(
            f"this is not a regular expression: {fault}; close its brackets and escape special characters"
        ) from None
    if groups != 1 or "(?P" in pattern or "(?i" in pattern:
        raise ValueError("this needs one group, the number; write `(\\d+)`, without a name or flags")
    return pattern


def _sentence(text: str) -> str:
    if not re.fullmatch(r"[A-Z`a-z_].*\.", text):
        raise ValueError("this is not a sentence; end it with a full stop")
    return text


Options = Annotated[list[str], Field(min_length=1)]
Pattern = Annotated[str, AfterValidator(_one_number)]
Sentence = Annotated[str, AfterValidator(_sentence)]


class Count(Strict):
    """How a program is told a number of threads or of processes."""

    options: list[str] = Field(description="The number is the next word, or what is glued to them; [] if it has none")
    default: NonNegativeInt | Literal["all", "omp", "slots"] | None = Field(
        None,
        description="What it uses if it is not told: a number; `all`, every core that it sees; `omp`, OMP_NUM_THREADS; "
        "`slots`, the cores that Slurm bound it to. None where its documentation says none of these",
    )
    plus: PositiveInt | None = Field(None, description="Threads besides those that it is told")


class Gpus(Strict):
    """How a program is told a number of GPUs."""

    options: list[str]
    times: list[str] = Field([], description="Options whose numbers multiply it")
    default: NonNegativeInt | Literal["all"] | None = None


class Memory(Strict):
    """How a program is told an amount of memory."""

    options: Options
    bare: Unit = Field(description="The unit of a number without one")
    per: Per
    default: PositiveInt | None = Field(None, description="MiB that it uses if it is not told")


class Input(Strict):
    """What the text of a program's input says: regular expressions with the flags i and m."""

    threads: Pattern | None = None
    processes: Pattern | None = None
    memory: Pattern | None = None
    bare: Unit | None = None
    per: Per | None = None

    @model_validator(mode="after")
    def _memory_has_a_unit(self):
        if len({bool(self.memory), bool(self.bare), bool(self.per)}) > 1:
            raise ValueError("`memory`, `bare` and `per` belong together; write all of them or none")
        return self


class Need(Strict):
    """Options of which one must be there: without any of them the program fails at once."""

    without: Options
    what: Sentence
    cure: Sentence


class Exclusion(Strict):
    """Options that make a program fail at once."""

    options: Options
    what: Sentence
    cure: Sentence


class Program(Strict):
    """A program, or a subcommand of one."""

    name: str = Field(description="As a reader calls it; left out, it is the first of `starts`")
    starts: Options = Field(description="First words of the command, without folders; `*` stands for letters of a word")
    version: str | None = Field(None, description="The version whose documentation was read, if `source` does not say")
    source: str = Field(pattern=r"^https://\S+$", description="Where that was read")
    read: Date | None = Field(None, description="The day, if it is not the table's")
    runs: Literal["serial", "threads", "mpi", "launcher", "server"] = Field(
        description="Left out where it has `threads:`, it is that"
    )
    threads: Count | None = None
    processes: Count | None = Field(None, description="Those that it starts on one node, each with its `threads`")
    total: list[str] = Field([], description="Options for the threads of all its processes together")
    gpus: Gpus | None = None
    gpu: Literal["never", "always"] | Options | None = Field(
        None, description="Can it use a GPU? Or words of the command that make it use one"
    )
    enable: Sentence | None = Field(None, description="How to turn the GPU on, where no word of `gpu` is given")
    ranks_per_gpu: PositiveInt | None = Field(None, description="MPI ranks that can share a GPU; more are slower")
    cpu: list[str] = Field([], description="Words of the command that make it use no GPU")
    memory: Memory | None = None
    data: str | None = Field(None, description="Large files that it reads besides its input, with their sizes")
    input: Input | None = None
    needs: list[Need] = []
    excludes: list[Exclusion] = []

    @model_validator(mode="before")
    @classmethod
    def _left_out(cls, data: object) -> object:
        match data:
            case {"starts": [first, *_]}:
                return {"name": first} | ({"runs": "threads"} if "threads" in data else {}) | data
        return data


class Table(Strict):
    read: Date
    programs: list[Program]


@cache
def programs(file: Path = FILE) -> tuple[Program, ...]:
    """Every program of the table. Raises BadInput for each fault, also for two programs with one start."""
    table, lines = load_model(file, Table, "See scripts/facts/programs.py for what may stand here.")
    names: dict[str, str] = {}
    for index, program in enumerate(table.programs):
        for number, start in enumerate(program.starts):
            if start in names:
                line = line_of(lines, ("programs", index, "starts", number))
                what = f"`{start}` already starts {names[start]}."
                raise BadInput(shown(file), line, what, "Give each start to one program.")
            names[start] = program.name
    return tuple(table.programs)
