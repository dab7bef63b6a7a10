"""Scripts that the form writes, and what the twins, the engine and shellcheck say of them."""

import itertools
import json
import os
import random
import re
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from scripts.engine.ask import ask
from scripts.facts import Cluster
from tests.run import run
from tests.twin import kept as twins
from tests.twin.many import ask_many

Fields = dict[str, str]


@dataclass(frozen=True)
class Written:
    """A filling of the form, and its script, or the reason why there is none."""

    fields: Fields
    script: str
    reason: str

    @property
    def address(self) -> str:
        return "&".join(f"{name}={value}" for name, value in self.fields.items())


def values(cluster: Cluster) -> dict[str, list[str]]:
    found = {each["name"]: each["values"] for each in ask("choices", [cluster], cluster.key)}
    return {name: [value["value"] for value in some] for name, some in found.items() if name != "cluster"}


def written(cluster: Cluster, fillings: Sequence[Fields]) -> list[Written]:
    fillings = [{"cluster": cluster.key} | fields for fields in fillings]
    addresses = ["&".join(f"{name}={value}" for name, value in fields.items()) for fields in fillings]
    answers = ask("write", [cluster], addresses)
    return [
        Written(fields, answer.get("script", ""), answer.get("reason", ""))
        for fields, answer in zip(fillings, answers, strict=True)
    ]


def at_random(offered: dict[str, list[str]], draw: random.Random, chance: float = 0.55) -> Fields:
    """Each field said with this chance; now and then what is not offered, near the values that are."""
    typed = {
        "time": f"{draw.randint(1, 30)}{draw.choice('hmhd')}",
        "memory": f"{draw.randint(1, 600)}G",
        "cores": str(draw.randint(1, 200)),
        "nodes": str(draw.randint(1, 12)),
        "array": f"1-{draw.randint(1, 300)}%{draw.randint(1, 20)}",
    }
    said = [name for name in offered if draw.random() < chance]
    if "tasks" in said and "program" in said:  # most programs have no ranks, so both are rarely possible
        said.remove(draw.choice(("tasks", "program")))
    return {name: typed[name] if name in typed and draw.random() < 0.3 else draw.choice(offered[name]) for name in said}


def cases(cluster: Cluster, number: int, seed: str) -> list[Written]:
    draw = random.Random(f"{seed} {cluster.key}")
    offered = values(cluster)
    return written(cluster, [at_random(offered, draw) for _ in range(number)])


def possible(cluster: Cluster, fillings: Sequence[Fields]) -> list[bool]:
    return ask("possible", [cluster], [[cluster.key, fields] for fields in fillings])


def all_pairs(cluster: Cluster) -> tuple[int, list[Written]]:
    """How many pairs of offered values can be had together, and few scripts in which each of them stands."""
    offered = values(cluster)
    pairs = [
        {one: a, other: b}
        for one, other in itertools.combinations(offered, 2)
        for a in offered[one]
        for b in offered[other]
    ]
    there = [pair for pair, can_be in zip(pairs, possible(cluster, pairs), strict=True) if can_be]
    left = {frozenset(pair.items()): pair for pair in there}
    found = []
    while left:
        fields = dict(next(iter(left.values())))
        for name in [each for each in offered if each not in fields]:
            fields |= _best(cluster, fields, name, offered[name], left)
        found.append(fields)
        for both in itertools.combinations(fields.items(), 2):
            left.pop(frozenset(both), None)
    return len(there), written(cluster, found)


def _best(cluster: Cluster, fields: Fields, name: str, offered: list[str], left: dict) -> Fields:
    """The value of one more field with which most pairs stand that no script has yet; nothing if none can be had."""
    gains = {value: sum(frozenset([(name, value), said]) in left for said in fields.items()) for value in offered}
    ranked = sorted((value for value in offered if gains[value]), key=lambda value: -gains[value])
    can_be = possible(cluster, [{**fields, name: value} for value in ranked])
    return next(({name: value} for value, can in zip(ranked, can_be, strict=True) if can), {})


def refused(cluster: Cluster, cases: Iterable[Written]) -> list[str]:
    cases = [case for case in cases if case.script]
    answers = ask_many(twins.twin(cluster), [case.script for case in cases])
    return [
        f"{case.address}: {answer.said}"
        for case, answer in zip(cases, answers, strict=True)
        if not answer.accepted or "warning" in answer.said
    ]


# What the reader of the form chose, by the finding that says so: the form writes it all the same.
CHOSEN = {"cores-under-share": "&cores=", "model-over-gpu-memory": "&gpu=", "full-node-for-few-cores": "&tasks="}


def accused(cluster: Cluster, cases: Iterable[Written]) -> list[str]:
    """What the engine finds in them, but for the sample account and what the reader of the form chose."""
    cases = [case for case in cases if case.script]
    judged = ask("found", [cluster], [[cluster.key, case.script] for case in cases])
    return [
        f"{case.address}: {each['rule']}: {each['what']}"
        for case, answer in zip(cases, judged, strict=True)
        for each in answer["findings"]
        if each["rule"] != "account-sample" and CHOSEN.get(each["rule"], " ") not in case.address
    ]


def without_way_out(cases: Iterable[Written]) -> list[str]:
    """Refusals that are not one line, or do not name what is nearest."""
    return [
        f"{case.address}: {case.reason}"
        for case in cases
        if not case.script and ("\n" in case.reason or "The closest allowed value is " not in case.reason)
    ]


def shellcheck(scripts: Iterable[str]) -> list[str]:
    """All that shellcheck says of these texts, at any severity. Of those that differ in numbers alone it reads one."""
    plain = {re.sub(r"(?<=[= ])\d+", "8", re.sub(r"(?m)^#SBATCH .*\n", "", text)) for text in scripts}
    with tempfile.TemporaryDirectory() as folder:
        for number, text in enumerate(sorted(plain)):
            Path(folder, f"{number}.sh").write_text(text, encoding="utf-8")
        words = ("--shell=bash", "--exclude=SC1091", "--format=json", *os.listdir(folder))
        done = run("shellcheck", *words, cwd=Path(folder), env={"LC_ALL": "C.UTF-8"})
    return sorted({f"SC{item['code']}: {item['message']}" for item in json.loads(done.stdout)})


def faults_of_forms(clusters: dict[str, Cluster], number: int, seed: str) -> tuple[int, list[str]]:
    """Of so many scripts, those of all pairs besides."""
    running = [cluster for cluster in clusters.values() if cluster.running]
    faults, scripts = [], set()
    for cluster in running:
        own = [*all_pairs(cluster)[1], *cases(cluster, number // len(running), seed)]
        faults += refused(cluster, own) + accused(cluster, own) + without_way_out(own)
        scripts |= {case.script for case in own}
    return len(scripts), faults + shellcheck(scripts)
