"""The grader: each answer goes up the steps until one fails."""

import re
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from scripts.bench.answers import Unread, taken
from scripts.bench.task import Task
from scripts.bench.wanted import faults
from scripts.check.findings import FIELDS, by_scheduler
from scripts.check.report import Report
from scripts.check.scheduler import Answer
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.twin.daemon import Twin

STEPS = ("answered", "reads", "accepted", "nothing ignored", "as wanted", "runs")
BLAMED = ("ignored", "fails")
ARRAY = re.compile(r"(?m)^(#SBATCH.*?\s(?:--array[= ]|-a ?))(\d+)[-,:%\d]*")
PROGRAM = "#!/bin/sh\necho the program ran\n"  # stands in for the user's own
PYTHON = "print('the program ran')\n"


@dataclass(frozen=True)
class Grade:
    """step: the first that failed, or None. why: a sentence."""

    task: Task
    step: str | None = None
    why: str = ""

    @property
    def passed(self) -> bool:
        return self.step is None

    def as_json(self) -> dict:
        about = {"id": self.task.id, "kind": self.task.kind, "system": self.task.system}
        return about | {"passed": self.passed, "step": self.step, "why": self.why}


def grade(
    tasks: Iterable[Task],
    answers: dict[str, str],
    clusters: dict[str, Cluster],
    twin_of: Callable[[Cluster], Twin] | None = None,
    runs: bool = False,
) -> list[Grade]:
    """twin_of: whose scheduler has the last word on what is accepted; without it the engine's verdict counts.

    runs: does each accepted script run to its end in the twin? Raises BadInput where there is no twin.
    """
    return [_graded(task, answers.get(task.id), clusters[task.system], twin_of, runs) for task in tasks]


def _graded(task: Task, answer: str | None, cluster: Cluster, twin_of: Callable | None, runs: bool) -> Grade:
    if answer is None:
        return Grade(task, "answered", "there is no answer")
    try:
        text = taken(task, answer)
    except Unread as fault:
        return Grade(task, "reads", str(fault))
    if task.reply == "letter":
        right = text == task.wanted["choice"]
        return Grade(task) if right else Grade(task, "as wanted", f"{text} is not the correct meaning")
    try:
        return _of_script(task, text, cluster, twin_of, runs)
    except BadInput as fault:
        if twin_of:
            raise
        return Grade(task, "reads", str(fault))  # the engine gave up on it


def _of_script(task: Task, text: str, cluster: Cluster, twin_of: Callable | None, runs: bool) -> Grade:
    (asks,) = ask("asks", [cluster], [[cluster.key, text]])
    if asks["error"] or not asks["directives"]:
        return Grade(task, "reads", asks["error"] or "the script has no directive of the scheduler")
    (judged,) = ask("check", [cluster], [[cluster.key, text, "answer"]])
    found = [Report("answer", **{name: each[name] for name in FIELDS}) for each in judged["findings"]]
    verdict = judged["verdict"]
    if twin_of:
        done = twin_of(cluster).ask(judged["submit"].encode(), "answer")
        found = by_scheduler(cluster, found, judged["decision"], Answer(done.returncode == 0, done.stderr), "answer")
        verdict = "accepted" if done.returncode == 0 else "refused"
    if refused := [each.what for each in found if each.kind == "refused"]:
        return Grade(task, "accepted", refused[0])
    if verdict != "accepted":
        why = next((each.what for each in found if each.kind == "not judged"), verdict)
        return Grade(task, "accepted", f"{why} (not judged without a twin)")
    if blamed := [each.what for each in found if each.kind in BLAMED]:
        return Grade(task, "nothing ignored", blamed[0])
    if wrong := next(faults(task.wanted, asks), None):
        return Grade(task, "as wanted", wrong)
    if runs and task.reply == "script" and (why := _does_not_run(asks, text, twin_of(cluster))):
        return Grade(task, "runs", why)
    return Grade(task)


def _does_not_run(asks: dict, text: str, twin: Twin) -> str | None:
    """Why the job does not end well in the twin; each program is one that only says that it ran. Of an array, one."""
    with tempfile.TemporaryDirectory(prefix="job-") as name:
        folder = Path(name)
        (folder / "data").mkdir()
        with tarfile.open(folder / "data.tar", "w") as packed:
            packed.add(folder / "data", "data")
        (folder / "pytorch.sif").touch()
        for word in {word for words in asks["runs"] for word in words}:
            if re.fullmatch(r"[\w-]+\.py", word):
                (folder / word).write_text(PYTHON, encoding="utf-8")
        for words in asks["runs"]:
            if not (own := folder / words[0]).exists() and not shutil.which(words[0]):
                own.write_text(PROGRAM, encoding="utf-8")
                own.chmod(0o755)
        script = folder / "job.sh"
        script.write_text(ARRAY.sub(r"\1\2", text), encoding="utf-8")
        done = twin.run_to_end(script, folder)
        said = "".join(path.read_text("utf-8", "replace") for path in sorted(folder.glob("*.out")))
    if done.returncode:
        last = (said or done.stderr or done.stdout).strip().splitlines()
        return f"the job ended with {done.returncode}: {last[-1] if last else 'it printed nothing'}"
    return None
