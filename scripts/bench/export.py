"""The tasks as a folder that Inspect (inspect_ai) runs: its data, the systems' instructions, and a Python file."""

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

from scripts.agents.instructions import of_cluster
from scripts.bench.task import Task
from scripts.errors import BadInput
from scripts.facts import Cluster

FILE = "gpu_jobs.py"
TEMPLATE = Path(__file__).with_name("inspect_task.py")


def instructions(clusters: dict[str, Cluster], tasks: Sequence[Task]) -> dict[str, str]:
    """What assistants read of each system of these tasks."""
    return {key: of_cluster(clusters[key], clusters, "../../") for key in sorted({task.system for task in tasks})}


def write(folder: Path, tasks: Sequence[Task], clusters: dict[str, Cluster]) -> str:
    """What was written, and how to run it.

    Raises BadInput where the folder is there already, or cannot be created. Then nothing is written.
    """
    known = instructions(clusters, tasks)
    try:
        folder.mkdir(parents=True)
    except OSError as fault:
        what = f"this folder cannot be created: {fault.strerror}."
        raise BadInput(folder, None, what, "Name a new folder.") from None
    lines = [json.dumps(task.shown(with_answers=True), ensure_ascii=False) for task in tasks]
    (folder / "tasks.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    (folder / "instructions").mkdir()
    for key, text in known.items():
        (folder / f"instructions/{key}.md").write_text(text, encoding="utf-8")
    shutil.copyfile(TEMPLATE, folder / FILE)
    return f"Wrote tasks to {folder}: {len(tasks)}. In that folder, run: inspect eval {FILE} --model …"
