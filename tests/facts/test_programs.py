"""The table of programs: it loads, and each kind of fault in it is told with its line."""

import re
from itertools import combinations

import pytest

from scripts.engine.data import common
from scripts.errors import BadInput
from scripts.facts.programs import programs

PROGRAMS = programs()
ENTRY = """programs:
  - name: sort
    starts: [sort]
    source: https://example.org/sort
    read: 2026-11-24
    runs: threads
"""


def test_the_table_has_the_programs_of_the_field():
    assert len(PROGRAMS) >= 80
    assert len({program.name for program in PROGRAMS}) == len(PROGRAMS)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_an_option_is_one_word(program):
    counts = [part for part in (program.threads, program.processes, program.gpus, program.memory) if part]
    words = [word for part in counts for word in (*part.options, *getattr(part, "times", []))]
    assert [word for word in words if not re.fullmatch(r"[-+]\S+|[a-z]+", word)] == []
    assert len(words) == len(set(words)) or program.runs == "launcher"


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda program: program.name)
def test_a_program_that_never_uses_a_gpu_has_no_words_for_one(program):
    assert program.gpu != "never" or not (program.gpus or program.cpu)


def test_the_engine_gets_what_is_written_and_no_more():
    told = {each["name"]: each for each in common()["programs"]}
    assert told.keys() == {program.name for program in PROGRAMS}
    assert told["samtools sort"] == {
        "name": "samtools sort",
        "starts": ["samtools sort"],
        "runs": "threads",
        "threads": {"options": ["-@", "--threads"], "default": 1},
        "gpu": "never",
        "memory": {"options": ["-m"], "bare": "B", "per": "thread", "default": 768},
    }


INPUTS = [
    ("ORCA", "processes", "! BP86 def2-SVP\n%PAL NPROCS 16 END\n", "16"),
    ("ORCA", "processes", "%pal\n  nprocs 8\nend\n", "8"),
    ("ORCA", "processes", "! B3LYP def2-TZVP PAL4\n", "4"),
    ("ORCA", "processes", "# PAL4 is enough\n", None),
    ("ORCA", "memory", "%MaxCore 3000\n", "3000"),
    ("Gaussian", "threads", "%chk=a.chk\n%NProcShared=12\n", "12"),
    ("Gaussian", "threads", "%NProcLinda=4\n", None),
    ("Gaussian", "memory", "%mem=24GB\n", "24GB"),
    ("Gaussian", "memory", "%mem=100MW\n", None),  # words
]


@pytest.mark.parametrize("name, field, text, number", INPUTS)
def test_an_input_says_how_many(name, field, text, number):
    program = next(each for each in PROGRAMS if each.name == name)
    found = re.search(getattr(program.input, field), text, re.IGNORECASE | re.MULTILINE)
    assert (found and found[1]) == number


INPUT = ENTRY + "    input: "
FAULTS = [
    (ENTRY + ENTRY[10:].replace("name: sort", "name: other"), "8: `sort` already starts sort. Give each start to one"),
    (re.sub(" +source.*\n", "", ENTRY), "2: `programs.0.source` is missing. Add it."),
    (ENTRY.replace("https://", "http://"), "4: `programs.0.source`"),
    (
        ENTRY + "    thread: {options: [-t]}\n",
        "7: `programs.0.thread` is not a key the model knows. Did you mean `threads`?",
    ),
    (INPUT + '{threads: "%pal ("}\n', "7: `programs.0.input.threads`: this is not a regular expression"),
    (INPUT + '{threads: "%pal"}\n', "7: `programs.0.input.threads`: this needs one group, the number."),
    (INPUT + '{threads: "%pal (n) (m)"}\n', "7: `programs.0.input.threads`: this needs one group, the number."),
    *(
        (f"{INPUT}{{{', '.join(words)}}}\n", "7: `programs.0.input`: `memory`, `bare` and `per` belong together.")
        for number in (1, 2)
        for words in combinations(('memory: "(\\\\d+)"', "bare: MiB", "per: thread"), number)
    ),
]


@pytest.mark.parametrize("text, told", FAULTS)
def test_a_fault_is_told_with_its_line(text, told, tmp_path):
    file = tmp_path / "programs.yml"
    file.write_text(f"{text}read: 2026-11-24\n", encoding="utf-8")
    with pytest.raises(BadInput) as fault:
        programs(file)
    assert f"programs.yml:{told}" in str(fault.value)
