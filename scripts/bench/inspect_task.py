"""GPU jobs on research clusters, as a task for Inspect: inspect eval gpu_jobs.py --model …

The grader is the guide's: put `guide` on PATH, or set GUIDE to its path. -T instructions=true gives the model the
guide's instructions for each system, and -T twin=true lets a real scheduler decide.
"""

import json
import os
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai import Task, task
from inspect_ai.dataset import Sample, json_dataset
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Target, accuracy, grouped, scorer, stderr
from inspect_ai.solver import TaskState, generate
from inspect_ai.util import subprocess

HERE = Path(__file__).parent


@task
def gpu_jobs(instructions: bool = False, twin: bool = False, kind: str = "") -> Task:
    """kind: write, repair, move or explain; empty: all."""

    def sample(record: dict) -> Sample | list[Sample]:
        if kind and record["kind"] != kind:
            return []
        known = (HERE / f"instructions/{record['system']}.md").read_text(encoding="utf-8") if instructions else ""
        about = {"kind": record["kind"], "system": record["system"], "task": record}
        return Sample(id=record["id"], input=f"{known}\n\n{record['request']}".strip(), metadata=about)

    return Task(dataset=json_dataset(str(HERE / "tasks.jsonl"), sample), solver=generate(), scorer=graded(twin))


@scorer(metrics=[grouped(accuracy(), "kind"), stderr()])
def graded(twin: bool = False):
    """The guide's verdict on the answer; the explanation is the first step that failed, and why."""

    async def score(state: TaskState, target: Target) -> Score:
        answer = {"id": state.sample_id, "answer": state.output.completion}
        with TemporaryDirectory() as name:
            tasks, answers = Path(name, "tasks.jsonl"), Path(name, "answers.jsonl")
            tasks.write_text(json.dumps(state.metadata["task"]), encoding="utf-8")
            answers.write_text(json.dumps(answer), encoding="utf-8")
            command = [os.environ.get("GUIDE", "guide"), "bench", "grade", str(answers), "--tasks", str(tasks)]
            done = await subprocess([*command, "--json", *["--twin"] * twin])
        if done.returncode > 1:  # the answer's own fault, such as one that is far too long
            return Score(value=INCORRECT, answer=state.output.completion, explanation=done.stderr.strip())
        (grade,) = json.loads(done.stdout)
        value = CORRECT if grade["passed"] else INCORRECT
        why = f"{grade['step']}: {grade['why']}" if grade["step"] else "passes"
        return Score(value=value, answer=state.output.completion, explanation=why)

    return score
