"""The engine's decision beside the twin's, for many scripts at once."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.check.scheduler import Answer
from scripts.engine.ask import ask
from scripts.engine.data import common, facts
from scripts.engine.host import call, restart
from scripts.facts import Cluster, load_all
from scripts.twin.daemon import Twin
from tests.engine.versions import differs
from tests.twin.many import ask_many

KEPT = Path(__file__).with_name("kept.json")


@dataclass(frozen=True)
class Compared:
    """What both say of each script, in the same order. engine: verdict, and why it is refused."""

    twin: Twin
    scripts: list[str]
    engine: list[dict]
    answers: list[Answer]

    @property
    def differences(self) -> list[str]:
        """The scripts of which the engine is sure, and wrong."""
        told = [
            (
                script,
                f"the engine says {ours['verdict']} {'; '.join(each['what'] for each in ours['refused'])}\n"
                f"the twin: {theirs.said or 'refused'}",
            )
            for script, ours, theirs in zip(self.scripts, self.engine, self.answers, strict=True)
            if ours["verdict"] != "not judged" and (ours["verdict"] == "accepted") != theirs.accepted
        ]
        return [f"{self.twin.cluster.key}: {said}\n{script}" for script, said in told if not differs(script, said)]

    @property
    def not_judged(self) -> list[str]:
        return [
            script for script, ours in zip(self.scripts, self.engine, strict=True) if ours["verdict"] == "not judged"
        ]

    @property
    def accepted(self) -> int:
        return sum(answer.accepted for answer in self.answers)


def compare(twin: Twin, scripts: Sequence[str]) -> Compared:
    return Compared(twin, list(scripts), decided(twin.cluster, scripts), ask_many(twin, scripts))


def decided(cluster: Cluster, scripts: Sequence[str]) -> list[dict]:
    asked = [[cluster.key, script] for script in scripts]
    if cluster.scheduler.kind == "grid_engine":
        return [each | {"refused": each["findings"]} for each in ask("decide", [cluster], asked)]
    if cluster.key in load_all():
        return ask("slurm", [cluster], asked)
    found = call("slurm", asked, systems={cluster.key: facts.system(cluster)}, data=common())
    restart()  # a made-up system has no form: the next question must not meet it
    return found


def kept(key: str) -> list[str]:
    """Scripts on which the two differed once, and others that are worth asking each time."""
    return [script for of, script in json.loads(KEPT.read_text(encoding="utf-8")) if of == key]
