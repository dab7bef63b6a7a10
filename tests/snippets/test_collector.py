"""The collector itself: it must fail when a snippet does, and say where."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from scripts import programs
from scripts.errors import BadInput
from scripts.families import FAMILIES, shared
from scripts.paths import ROOT
from scripts.site.copy import copy_guide
from tests.check import job_scripts
from tests.needs import need
from tests.snippets.sandbox import LEFT_BY_GLOO, normalised, run_program
from tests.twin import kept as twins

GOOD = (ROOT / "snippets/puhti/one_gpu.sh").read_text(encoding="utf-8")
SHARED = (FAMILIES / "alliance/slice.sh").read_text(encoding="utf-8")


def faults(tmp_path: Path, text: str, cluster: str = "puhti") -> str:
    folder = tmp_path / cluster
    folder.mkdir(exist_ok=True)
    (folder / "cluster.yml").write_text(
        (ROOT / "snippets" / cluster / "cluster.yml").read_text(encoding="utf-8"), encoding="utf-8"
    )
    (folder / "job.sh").write_bytes(text.encode())
    job_scripts.cluster_of.cache_clear()
    return "\n".join(f"{line}: {what}" for line, what in job_scripts.faults(folder / "job.sh"))


def test_the_good_script_has_no_fault(tmp_path):
    assert faults(tmp_path, GOOD) == ""


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("\n#SBATCH --account", "\necho hello\n#SBATCH --account", "a directive below"),
        ("#SBATCH --nodes=1", "# SBATCH --nodes=1", "a directive below"),
        ("#!/bin/bash", "\n#!/bin/bash", "1: the first line"),
        ("project_2001234", "project_9", "not the facts' sample"),
        ("--partition=gpu\n", "--partition=gpus\n", "no partition gpus"),
        ("--mem=", "—mem=", "outside ASCII"),
        ("\n#SBATCH --nodes", "\r\n#SBATCH --nodes", "Windows line ends"),
        ("matmul.py", "matmul_fast.py", "no program of this guide"),
        ("project_2001234", "<project>", "a placeholder"),
        ("module load ", "module load cuda/99.9 ", "no module cuda/99.9"),
    ],
    ids=lambda value: value.strip()[:20],
)
def test_a_planted_fault_is_named(tmp_path, old, new, said):
    assert old in GOOD
    assert said in faults(tmp_path, GOOD.replace(old, new, 1))


def test_a_failing_program_shows_file_and_output(tmp_path):
    program = tmp_path / "bad.py"
    program.write_text("print('so far')\nraise ValueError('no')\n", encoding="utf-8")
    result = run_program(program, [])
    assert result.returncode == 1 and "so far" in result.stdout and 'bad.py", line 2' in result.stderr


def test_a_program_runs_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("LEAK", "1")
    program = tmp_path / "alone.py"
    program.write_text("import os\nprint(sorted(os.listdir('.')), 'LEAK' in os.environ, __name__)\n", encoding="utf-8")
    assert run_program(program, []).stdout == "[] False __main__\n"


@pytest.mark.nightly
@pytest.mark.parametrize("words, lasting, status", [("{0}", False, 0), ("{0}", True, 1), ("another fault", False, 1)])
def test_what_gloo_leaves_behind_is_tried_once_more(tmp_path, words, lasting, status):
    """Rank 0 aborts with these words: the first time, or each time."""
    program = tmp_path / "program.py"
    program.write_text(
        "import os, pathlib, sys\n"
        "first = not pathlib.Path('tried').exists()\n"
        "if os.environ['RANK'] == '0':\n"
        f"    pathlib.Path('tried').touch()\n    if first or {lasting}: sys.exit({words.format(LEFT_BY_GLOO)!r})\n",
        encoding="utf-8",
    )
    assert run_program(program, [], {"torchrun"}).returncode == status


def test_volatile_numbers_are_set_aside_but_words_are_not():
    assert normalised("took 3.14 s at 1,024 GB/s") == normalised("took  12 s at 9 GB/s")
    assert normalised("took 3 s") != normalised("took 3 ms")


def test_what_is_known_of_a_program_stands_beside_it(monkeypatch, tmp_path):
    """No line for our tests in what readers copy; a run of no program, and an import of no package, are told."""
    for path in programs.PROGRAMS.glob("*.py"):
        assert not re.search(r"(?m)^# (test|needs):", path.read_text(encoding="utf-8")), f"{path}: see programs.yml"
        assert programs.packages(path) is not None
    assert programs.packages(programs.PROGRAMS / "multiply_copies.py") == ["numba", "numba-cuda", "numpy"]
    (tmp_path / "programs.yml").write_text("runs:\n  gone.py: {}\npackages: {numpy: numpy}\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"programs\.yml:2: there is no program gone\.py"):
        programs.load(tmp_path / "programs.yml")
    (tmp_path / "odd.py").write_text("import os\nimport numpy, odder\n", encoding="utf-8")
    with pytest.raises(BadInput, match=r"odd\.py:2: no package is known for `import odder`"):
        programs.packages(tmp_path / "odd.py")


PAGE = "---\ndescription: d\n---\n# A page\n\n{}\n"
# For each bad file: its path, what is in it, and what must be told, with file and line.
BAD = {
    "a program fails": (
        "snippets/programs/fails.py",
        "print('so far')\nraise ValueError('no')\n",
        r"snippets/programs/fails\.py:2: ended with status 1\.(?s:.*)so far",
    ),
    "a program shows other output": (
        "snippets/programs/differs.py",
        "print('the same')\nprint('took 3 s')\n",
        r"snippets/programs/differs\.out:3: .*run `make outputs`",
    ),
    "an output without its program": (
        "snippets/programs/orphan.out",
        "# python3 orphan.py\n",
        r"snippets/programs/orphan\.out: there is no orphan\.py",
    ),
    "an empty output": ("snippets/programs/empty.out", "", r"snippets/programs/empty\.out: the file is empty"),
    "a script that bash refuses": (
        "snippets/puhti/refused.sh",
        GOOD + "if true; then\n",
        r"snippets/puhti/refused\.sh:\d\d: syntax error",
    ),
    "a script with a finding of shellcheck": (
        "snippets/puhti/unquoted.sh",
        GOOD + "echo $HOME/$1\n",
        r"snippets/puhti/unquoted\.sh:19:\d+: .*SC2086",
    ),
    "a script that disagrees with the facts": (
        "snippets/puhti/unknown.sh",
        GOOD + "module load cuda/99.9\n",
        r"snippets/puhti/unknown\.sh:19: the facts list no module",
    ),
    "a job that the scheduler refuses": (
        "snippets/puhti/too_long.sh",
        GOOD.replace("00:15:00", "99-00:00:00"),
        r"snippets/puhti/too_long\.sh: Puhti's twin refuses it: .*time limit",
    ),
    "an interactive job that the scheduler refuses": (
        "snippets/puhti/interactive.sh",
        "srun --account=project_2001234 --partition=gputest --time=99-0 --pty bash\n",
        r"snippets/puhti/interactive\.sh: Puhti's twin refuses it",
    ),
    "a job that fails on its node": (
        "snippets/puhti/one_gpu.sh",
        GOOD + "exit 3\n",
        r"snippets/puhti/one_gpu\.sh: in Puhti's twin the job ended with 3",
    ),
    "a script that a family shares": (
        "snippets/fir/slice.sh",
        SHARED.replace("module load ", "module load cuda/99.9 "),
        r"snippets/families/alliance/slice\.sh:13: the facts list no module cuda/99\.9",
    ),
    "a fence of two lines": (
        "docs/about/two.md",
        PAGE.format("```console\nls\npwd\n```"),
        r"docs/about/two\.md:6: more than one line",
    ),
    "a fence without a reason": (
        "docs/about/text.md",
        PAGE.format("```text\noutput\n```"),
        r"docs/about/text\.md:6: this text fence is neither",
    ),
    "a command that bash refuses": (
        "docs/about/quote.md",
        PAGE.format('```console\necho "\n```'),
        r"docs/about/quote\.md:6: bash cannot read",
    ),
    "a fence that is never closed": (
        "docs/about/open.md",
        PAGE.format("```console\nls"),
        r"docs/about/open\.md:6: the fence .* is never closed",
    ),
    "a comment that the extractor obeys": (
        "docs/about/hidden.md",
        PAGE.format("<!--pytest-codeblocks:skip-->\n```text\noutput\n```"),
        r"docs/about/hidden\.md:6: a comment would let the tests pass over",
    ),
    "an include of no file": (
        "docs/about/nothing.md",
        PAGE.format('```bash\n--8<-- "snippets/puhti/gone.sh"\n```'),
        r"docs/about/nothing\.md:7: there is no file",
    ),
}


@pytest.fixture(scope="session")
def told(once) -> str:
    """What the collector says of a copy of the guide in which every bad file stands."""

    def make(folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        copy = folder / "guide"
        copy_guide(copy)
        shutil.copytree(ROOT / "tests", copy / "tests", ignore=shutil.ignore_patterns("__pycache__"))
        for name in ("conftest.py", "pytest.ini"):
            shutil.copy(ROOT / name, copy)
        for name, text, _ in BAD.values():
            (copy / shared.source(ROOT / name).relative_to(ROOT)).write_text(text, encoding="utf-8")
        (copy / "snippets/programs/empty.py").write_text("print(1)\n", encoding="utf-8")
        (copy / "snippets/programs/differs.out").write_text(
            "# python3 differs.py\nthe same\ntook 4 ms\n", encoding="utf-8"
        )
        files = [name for name, _, _ in BAD.values()]
        command = [
            sys.executable,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            *files,
            "snippets/programs/differs.out",
        ]
        done = subprocess.run(command, cwd=copy, capture_output=True, encoding="utf-8")
        (folder / "told").write_text(done.stdout + done.stderr, encoding="utf-8")

    return (once("bad-files", make) / "told").read_text(encoding="utf-8")


@pytest.mark.nightly
@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_fails_with_file_and_line(kind, told):
    name, _, said = BAD[kind]
    if "twin" in said:
        twins.need_scheduler("slurm")
    if "SC2086" in said:
        need("shellcheck", "shellcheck")
    assert re.search(rf"(?m)^{said}", told), told
    assert re.search(rf"(?m)^FAILED {re.escape(name)}::", told), "the summary names it"


@pytest.mark.nightly
def test_no_bad_file_ends_in_a_traceback_of_ours(told):
    assert "collector.py" not in told.split("short test summary")[0]
