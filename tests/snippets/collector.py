"""Collect what readers copy: every snippet file, and every fence a page types out.

Ids a person can type: `pytest snippets/puhti`, `-k matmul`, `docs/learn/pytorch.md`, `-m gpu`.
pytest-codeblocks extracts the fences; it does not run them (its runner drops Material's fences, skips
`__main__` and hides output). Here each program runs by itself: an empty folder with only its sibling
programs, a clean environment, a time limit; a failure names file and line and shows the output.
"""

import re
import shlex
import shutil
import subprocess
import tarfile
import tempfile
from dataclasses import asdict
from io import StringIO
from itertools import zip_longest
from pathlib import Path

import nbformat
import pytest
from pytest_codeblocks import extract_from_buffer

from scripts.errors import BadInput
from scripts.evidence import records as evidence
from scripts.evidence.dependencies import changed, judge_of, judges, rests_on
from scripts.evidence.records import TO_ITS_END, Record
from scripts.facts import today
from scripts.families import FAMILIES, shared
from scripts.families.page import lines_of
from scripts.markdown import INCLUDE
from scripts.programs import OMITTED, ON_GPU, TIME, run_of
from scripts.site import notebook
from scripts.site.build import check_page
from tests.check import job_scripts
from tests.made import made
from tests.needs import need
from tests.run import run
from tests.snippets import languages
from tests.snippets.sandbox import ROOT, normalised, run_program
from tests.snippets.versions import versions
from tests.twin import kept as twins

NOT_CHECKED = re.compile(r"<!--\s*not checked:\s*(\S.*?)\s*-->")
PROGRAMS, LANGUAGES = ROOT / "snippets" / "programs", ROOT / "snippets" / "languages"
# The one that readers copy first, and the one that moves their data; each run costs some seconds.
RUN_TO_END = {"one_gpu.sh", "stage_data.sh"}
# These run by day although their records count: one of each kind.
ALWAYS = {
    *("arc4/one_gpu.sh", "kestrel/one_gpu.sh", "puhti/stage_data.sh"),
    *("programs/matmul.py", "workshop/set-up.ipynb"),
}

STAND_INS = {
    "torchvision": "torchvision's compiled operators replaced",
    "cifar10": "small files in CIFAR-10's format",
    "language_model": "a small model that has read little",
}


class Failed(Exception):
    """A check's finding, shown as it is, without a Python traceback."""


class Check(pytest.Item):
    """One snippet or fence, one way of checking it. A subclass's `check` returns (how, detail)."""

    record = True

    @property
    def edited(self) -> Path:
        """The file that a message names, from the root: of a script that a family shares, the family's."""
        return shared.source(self.path).relative_to(ROOT)

    def runtest(self) -> None:
        how, detail = self.check()
        if self.record:
            self.keep(self.path, how, detail)

    def keep(self, snippet: Path, how: str, detail: str) -> None:
        cluster = job_scripts.cluster_of(snippet)
        known = {cluster.key: judge_of(cluster)} if cluster else {}
        day = str(today())  # xdist sends plain text alone
        record = Record(how, detail, day, rests_on(snippet, known))
        self.user_properties.append(("evidence", [str(snippet.relative_to(ROOT)), asdict(record)]))

    def check(self) -> tuple[str, str]:
        raise NotImplementedError

    def repr_failure(self, excinfo):
        return str(excinfo.value) if excinfo.errisinstance((Failed, BadInput)) else super().repr_failure(excinfo)

    def reportinfo(self):
        return self.path, None, f"[{self.name}] {self.path.name}"


class RunProgram(Check):
    """Run a Python program at the small size that programs.yml gives; compare its shown output."""

    def check(self) -> tuple[str, str]:
        run = run_of(self.path.name)
        if "compiler" in run.needs:
            need("g++", "g++")
        result = run_program(self.path, run.arguments.split(), run.needs)
        self.ended_well(result)
        shown = self.path.with_suffix(".out")
        command = " ".join(["#", *run.starter, self.path.name, run.arguments]).rstrip()
        if self.config.getoption("--update-outputs") and shown.exists():
            omits = OMITTED in shown.read_text(encoding="utf-8")
            printed = TIME.sub(OMITTED, result.stdout) if omits else result.stdout
            shown.write_text(f"{command}\n{printed}", encoding="utf-8")
        if shown.exists() and (line := differs(shown.read_text(encoding="utf-8"), f"{command}\n{result.stdout}")):
            raise Failed(
                f"{shown.relative_to(ROOT)}:{line}: the page shows other output than the program gives; "
                "run `make outputs`.\n"
                f"--- shown\n{shown.read_text(encoding='utf-8')}\n--- now\n{command}\n{result.stdout}"
            )
        found = versions(self.path)
        used = f"; {found}" if found else ""
        if shown.exists():
            self.keep(shown, "ran", f"compared with a real run, numbers aside{used}")
        arguments = f"with `{run.arguments}`" if run.arguments else "as it stands"
        arguments += ", in two processes" if "torchrun" in run.needs else ""
        how = "simulated" if "simulator" in run.needs else "ran"
        notes = [text for name, text in STAND_INS.items() if name in run.needs]
        return how, arguments + "".join(f", {note}" for note in notes) + used

    def ended_well(self, result: subprocess.CompletedProcess[str]) -> None:
        if result.returncode:
            lines = re.findall(rf'{re.escape(self.path.name)}", line (\d+)', result.stderr)
            place = f"{self.path.relative_to(ROOT)}:{lines[-1]}" if lines else self.path.relative_to(ROOT)
            raise Failed(f"{place}: ended with status {result.returncode}.\n{result.stdout}{result.stderr}")


class RunLanguage(RunProgram):
    """A program in another language: compiled and run on the CPU, where something here can do that."""

    def check(self) -> tuple[str, str]:
        if self.path.suffix in languages.UNRUN:
            return "not checked", f"we have no {languages.UNRUN[self.path.suffix]} and no GPU here"
        result, detail = languages.run(self.path)
        self.ended_well(result)
        return "ran", detail


class RunNotebook(Check):
    """Run a notebook, and compare what its page shows with what it gives. What it gives fits a page."""

    def check(self) -> tuple[str, str]:
        from tests.snippets import notebooks  # here, since a machine that only runs programs has no Jupyter

        name, shown = self.path.relative_to(ROOT), notebook.read(self.path)
        try:
            now = notebooks.run(self.path)
        except notebooks.CellFailed as fault:
            raise Failed(f"{name}: {fault}") from None
        if self.config.getoption("--update-outputs"):
            self.path.write_text(nbformat.writes(now) + "\n", encoding="utf-8")
            notebook.read(self.path)
        elif differ := notebooks.differs(shown, now):
            raise Failed(f"{name}: {differ}; run `make outputs`.")
        with tempfile.TemporaryDirectory() as folder:
            code = Path(folder, "code.py")
            code.write_text("\n".join(cell.source for cell in now.cells if cell.cell_type == "code"), encoding="utf-8")
            found = versions(code)
        guide = now.metadata.guide
        stand_in = f", {STAND_INS[guide.needs]}" if guide.get("needs") else ""
        unrun = f"; {guide.unrun}" if guide.get("unrun") else ""
        return "ran", f"as it stands{stand_in}{unrun}; {found}"


class RunOnGpu(RunProgram):
    """The same program at its full size on a real GPU; its output is recorded, or held against the recorded one."""

    record = False

    def check(self) -> tuple[str, str]:
        import torch

        if not torch.accelerator.is_available():
            raise Failed("There is no GPU that PyTorch can use here; run `pytest -m gpu` on a GPU runner.")
        needs = {*run_of(self.path.name).needs} - {"simulator"}
        run = run_of(self.path.name)
        result = run_program(self.path, run.full.split(), {*needs, "gpu"})
        self.ended_well(result)
        shown, gpu = ON_GPU / f"{self.path.stem}.out", torch.cuda.get_device_name()
        command = " ".join(["# python3", self.path.name, run.full]).rstrip()
        now = f"{command} ({gpu})\n{result.stdout}"
        if self.config.getoption("--update-outputs") and shown.exists():
            shown.write_text(now, encoding="utf-8")
        elif shown.exists() and (line := differs(shown.read_text(encoding="utf-8"), now)):
            raise Failed(f"{shown.relative_to(ROOT)}:{line}: this GPU gives other output.\n{now}")
        if shown.exists():
            self.keep(shown, "gpu", f"{gpu}, at full size; {versions(self.path)}")
        return "ran", "at full size on a GPU"


class ShownOutput(Check):
    """An output file belongs to a program; RunProgram compares it, and records that."""

    record = False

    def check(self) -> tuple[str, str]:
        if not (PROGRAMS / self.path.with_suffix(".py").name).exists():
            raise Failed(f"{self.path.relative_to(ROOT)}: there is no {self.path.stem}.py that prints this; delete it.")
        if not self.path.read_text(encoding="utf-8").strip():
            raise Failed(f"{self.path.relative_to(ROOT)}: the file is empty; run `make outputs`.")
        return "ran", "compared with a real run, numbers aside"


class ParseScript(Check):
    """A shell file: bash reads it, shellcheck finds nothing; a job script also agrees with its cluster's facts."""

    def check(self) -> tuple[str, str]:
        name = self.path.relative_to(ROOT)
        if faults := job_scripts.faults(self.path):
            raise Failed("\n".join(f"{self.edited}:{line}: {what}" for line, what in faults))
        bash = run("bash", "-n", name)
        if bash.returncode:
            raise Failed(re.sub(r"(?m)^(.*?): line (\d+): ", rf"{self.edited}:\2: ", bash.stderr))
        shellcheck = run(need("shellcheck", "shellcheck"), "--shell=bash", "--format=gcc", name)
        if shellcheck.returncode:
            raise Failed((shellcheck.stdout + shellcheck.stderr).replace(f"{name}:", f"{self.edited}:"))
        return "parsed", "by bash and shellcheck; options and modules agree with the facts" if (
            self.path.parent / "cluster.yml"
        ).exists() else "by bash and shellcheck"


class JudgeScript(Check):
    """A job script, submitted to the real scheduler set up as its cluster."""

    def check(self) -> tuple[str, str]:
        cluster = job_scripts.cluster_of(self.path)
        verdict = twins.twin(cluster).judge(self.path)
        if verdict.returncode:
            raise Failed(f"{self.edited}: {cluster.name}'s twin refuses it: {verdict.stderr}")
        return "judged", f"by {twins.version(cluster.scheduler.kind)} as {cluster.name}"


class RunScript(JudgeScript):
    """The same script, run to its end: the guide's programs at small size, stand-ins for what only the cluster has."""

    def check(self) -> tuple[str, str]:
        how, detail = super().check()
        cluster, name = job_scripts.cluster_of(self.path), self.edited
        with tempfile.TemporaryDirectory(prefix="job-") as folder:
            for program in PROGRAMS.glob("*.py"):
                shutil.copy(program, folder)
            with tarfile.open(f"{folder}/data.tar", "w") as packed:  # what stage_data.sh unpacks
                packed.add(PROGRAMS, "data")
            try:
                done = twins.twin(cluster).run_to_end(self.path, Path(folder))
            except subprocess.TimeoutExpired as late:
                raise Failed(
                    f"{name}: in {cluster.name}'s twin the job had not ended after {late.timeout:.0f} s."
                ) from None
            output = "".join(path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.out")))
        if done.returncode or not output:
            raise Failed(
                f"{name}: in {cluster.name}'s twin the job ended with {done.returncode}.\n"
                f"{done.stdout}{done.stderr}\n{output}"
            )
        stand_ins = sorted(set(re.findall(r"^stand-in: ([\w-]+) is not here", output, re.MULTILINE)) | {"the GPU"})
        return how, f"{detail}; {TO_ITS_END}, small, with stand-ins for {', '.join(stand_ins)}"


class JudgeInteractive(Check):
    """The command that asks for an interactive job."""

    def check(self) -> tuple[str, str]:
        cluster = job_scripts.cluster_of(self.path)
        # To shlex the end of a line that goes on is a word; to bash it is nothing.
        words = shlex.split(self.path.read_text(encoding="utf-8").replace("\\\n", ""))
        verdict = twins.twin(cluster).judge_interactive(words)
        if verdict is None:
            return (
                "parsed",
                f"by bash and shellcheck; {words[0]} is the site's own command, which no scheduler here knows",
            )
        if verdict.returncode:
            raise Failed(f"{self.edited}: {cluster.name}'s twin refuses it: {verdict.stderr}")
        return "judged", f"by {twins.version(cluster.scheduler.kind)} as {cluster.name}, its options"


class WholePage(Check):
    """What the build refuses of a page: nothing on it may vanish, break, or be passed over by the tests."""

    def runtest(self) -> None:
        check_page(self.path)


class Fence(Check):
    """A fence typed on a page: a one-line command is parsed; other text says why it is not checked."""

    record = False

    def __init__(self, *, block, line, reason, **kwargs):
        super().__init__(**kwargs)
        self.block, self.line, self.reason = block, line, reason

    def check(self) -> tuple[str, str]:
        language = language_of(self.block.syntax)
        where = f"{self.line.file.relative_to(ROOT)}:{self.line.number}"
        if language == "console":
            if len(self.block.code.strip().splitlines()) != 1:
                raise Failed(
                    f"{where}: more than one line of code is typed on the page; "
                    "put it in a file under snippets/ and include it."
                )
            bash = run("bash", "-n", text=self.block.code)
            if bash.returncode:
                raise Failed(f"{where}: bash cannot read this command: {bash.stderr}")
            return "parsed", "by bash"
        if not self.reason:
            raise Failed(
                f"{where}: this {language or 'unnamed'} fence is neither an include, "
                "nor a one-line `console` command, nor output with "
                "`<!-- not checked: reason -->` above it."
            )
        return "not checked", self.reason

    def reportinfo(self):
        return self.line.file, self.line.number - 1, f"[{self.name}] {self.path.name}"


def differs(shown: str, now: str) -> int | None:
    """The first line, from 1, of a shown output that a run gives differently, numbers aside; None if they agree."""
    if normalised(shown) == normalised(now):
        return None
    lines = enumerate(zip_longest(shown.splitlines(), now.splitlines(), fillvalue="no such line"), 1)
    return next((number for number, (old, new) in lines if normalised(old) != normalised(new)), 1)


def language_of(syntax: str | None) -> str:
    return re.match(r"\{?\s*\.?(\w*)", syntax or "")[1]


def counts(*files: Path) -> bool:
    """Is each record of these files about all that it rests on as it is now? Then the night is soon enough."""
    records, known = evidence.read(), judges()
    names = {str(file.relative_to(ROOT)): file for file in files}
    return all(
        name in records and not changed(records[name].rests_on, rests_on(file, known)) for name, file in names.items()
    )


def until_changed(*files: Path) -> pytest.MarkDecorator:
    """Of a test that runs these files and nothing else of ours: by night, too, as long as their records count."""
    return pytest.mark.nightly if counts(*files) else pytest.mark.runs


def by_night(node: pytest.File) -> list[str]:
    """The mark of a snippet or notebook that has not changed since it was checked, unless it was asked for by name."""
    path, asked = node.path, node.config.option.file_or_dir
    if any(each.startswith(("snippets/", "docs/")) for each in asked):
        return []
    shown = path.with_suffix(".out")
    files = [path, shown] if path.suffix == ".py" and shown.exists() else [path]
    return ["nightly"] if "/".join(path.parts[-2:]) not in ALWAYS and counts(*files) else []


class SnippetFile(pytest.File):
    def collect(self):
        if self.path.suffix == ".py":
            yield self.item(RunProgram, "run", "runs", *by_night(self))
            yield self.item(RunOnGpu, "gpu", "gpu")
        elif self.path.parent == LANGUAGES:
            yield self.item(RunLanguage, "run", "runs", *by_night(self))
        elif self.path.suffix == ".out":
            yield self.item(ShownOutput, "output")
        else:
            unchanged = by_night(self)
            yield self.item(ParseScript, "parse", *unchanged)
            if job_scripts.cluster_of(self.path):
                kind = JudgeScript if job_scripts.is_job(self.path) else JudgeInteractive
                yield self.item(kind, "judge", *unchanged)
                if self.path.name in RUN_TO_END:
                    yield self.item(RunScript, "job", "runs", *unchanged)

    def item(self, kind: type[Check], name: str, *marks: str) -> Check:
        made = kind.from_parent(self, name=name)
        for mark in marks:
            made.add_marker(mark)
        return made


class Page(pytest.File):
    def collect(self):
        made()  # whose files pages include
        yield WholePage.from_parent(self, name="page")
        try:
            check_page(self.path)
        except BadInput:
            return  # the item above tells it; what cannot be read has no fences
        lines = lines_of(self.path.read_text(encoding="utf-8"), self.path)
        texts = [line.text for line in lines]
        for block in extract_from_buffer(StringIO("\n".join(texts))):
            if INCLUDE.search(block.code):
                continue  # the file is checked, once, as a file
            above = next((line for line in reversed(texts[: block.lineno - 1]) if line.strip()), "")
            reason = NOT_CHECKED.search(above)
            item = Fence.from_parent(
                self,
                name=f"{language_of(block.syntax) or 'fence'}:{block.lineno}",
                line=lines[block.lineno - 1],
                block=block,
                reason=reason and reason[1],
            )
            yield item


class NotebookPage(pytest.File):
    def collect(self):
        made()
        yield WholePage.from_parent(self, name="page")
        item = RunNotebook.from_parent(self, name="run")
        for mark in ("runs", *by_night(self)):
            item.add_marker(mark)
        yield item


class NotATestModule(pytest.File):
    """What pytest itself would import when a program is named on its command line."""

    def collect(self):
        return []


def pytest_pycollect_makemodule(module_path: Path, parent):
    return (
        NotATestModule.from_parent(parent, path=module_path) if module_path.is_relative_to(ROOT / "snippets") else None
    )


def pytest_collect_file(file_path: Path, parent):
    if file_path.is_relative_to(ROOT / "docs" / "snippets") or file_path.is_relative_to(FAMILIES):
        return None  # what a family shares is checked as each of its systems has it
    if file_path.is_relative_to(ROOT / "snippets"):
        program = file_path.parent == LANGUAGES or file_path.is_relative_to(PROGRAMS) and file_path.suffix == ".py"
        if program or file_path.suffix in (".sh", ".out"):
            return SnippetFile.from_parent(parent, path=file_path)
    if file_path.is_relative_to(ROOT / "docs") and file_path.suffix in (".md", ".ipynb"):
        return (Page if file_path.suffix == ".md" else NotebookPage).from_parent(parent, path=file_path)
    return None


def pytest_addoption(parser):
    parser.addoption("--evidence", metavar="FILE", help="record what was checked, how and when, in FILE")
    parser.addoption("--update-outputs", action="store_true", help="rewrite the outputs that pages show from real runs")


def pytest_configure(config):
    config.stash[RECORDS] = {}
    if not hasattr(config, "workerinput"):
        twins.make_room()
    try:
        shared.write()
        if (target := config.getoption("--evidence")) and not hasattr(config, "workerinput"):
            evidence.merge({}, Path(target))  # a file that cannot be read or written is told now, not after the run
    except (BadInput, OSError) as fault:
        raise pytest.UsageError(str(fault)) from None


def pytest_unconfigure(config):
    if not hasattr(config, "workerinput"):
        twins.clear()


RECORDS: pytest.StashKey[dict] = pytest.StashKey()


class _Gather:
    """Take the records out of the reports, so that it works with and without xdist."""

    def __init__(self, config):
        self.config = config

    def pytest_runtest_logreport(self, report):
        if report.when != "call" or not report.passed:
            return
        for key, value in report.user_properties:
            if key == "evidence":
                name, record, records = value[0], Record(**value[1]), self.config.stash[RECORDS]
                if name not in records or record.weight > records[name].weight:
                    records[name] = record


@pytest.hookimpl(trylast=True)
def pytest_sessionstart(session):
    if not hasattr(session.config, "workerinput"):
        session.config.pluginmanager.register(_Gather(session.config), "gather-evidence")


def pytest_terminal_summary(terminalreporter, config):
    if (target := config.getoption("--evidence")) and config.stash[RECORDS]:
        evidence.merge(config.stash[RECORDS], Path(target))
        terminalreporter.write_line(f"evidence of {len(config.stash[RECORDS])} snippets written to {target}")
