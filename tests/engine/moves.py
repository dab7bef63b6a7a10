"""Scripts that move from one system to another, and what the twin of the other says of them."""

import random
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fnmatch import fnmatchcase

from scripts.engine.ask import ask
from scripts.engine.directives import last, read
from scripts.facts import Cluster
from scripts.facts.programs import programs
from scripts.paths import SNIPPETS
from tests.engine.generator import cases
from tests.twin import kept as twins
from tests.twin.many import ask_many

Ask = tuple[str, str, str, str]  # from, name, to, text
NO_PLACE = re.compile(r"no GPU to replace|no partition that accepts")
LESS = re.compile(r"per (node|GPU|job), but the job had|the maximum for ")


@dataclass(frozen=True)
class Moved:
    """One script, and what became of it. had, has: what it asked for, before and after, as the engine reads it."""

    old: Cluster
    new: Cluster
    name: str
    text: str
    script: str
    changes: list[dict]
    impossible: list[str]
    had: dict
    has: dict | None

    @property
    def what(self) -> str:
        return f"{self.old.key}/{self.name} to {self.new.key}"


def all_scripts(clusters: dict[str, Cluster]) -> list[tuple[str, str, str]]:
    """(system, name, text) of every job script of the guide."""
    files = [(key, path) for key in clusters for path in sorted((SNIPPETS / key).glob("*.sh"))]
    return [(key, path.name, path.read_text(encoding="utf-8")) for key, path in files if path.name != "interactive.sh"]


def all_asks(clusters: dict[str, Cluster]) -> list[Ask]:
    """(from, name, to, text): every job script to every other system that runs."""
    return [
        (key, name, to, text)
        for key, name, text in all_scripts(clusters)
        for to, cluster in clusters.items()
        if to != key and cluster.running and cluster.scheduler.kind == "slurm"
    ]


def changed(asks: list[Ask], number: int, seed: str) -> list[Ask]:
    """So many of them with another time, memory, number of cores or of nodes: also such as no system has."""
    draw = random.Random(seed)
    found = []
    for key, name, to, text in draw.choices(asks, k=number):
        minutes, memory = draw.choice([5, 20, 200, 1500, 4000, 12000]), draw.choice([1, 30, 200, 900])
        kept = re.sub(r"(--time=)\S+", rf"\g<1>{minutes}", text)
        if draw.random() < 0.5:
            kept = re.sub(r"(--mem=)\S+", rf"\g<1>{memory}G", kept)
        if draw.random() < 0.3:
            kept = re.sub(r"(--cpus-per-task=)\d+", lambda m: f"{m[1]}{draw.choice([1, 3, 40, 100])}", kept)
        if draw.random() < 0.3:
            kept = re.sub(r"(--(?:gres=gpu:?[\w.]*:|gpus(?:-per-node)?=[\w.]*:?))\d+$", r"\g<1>2", kept, flags=re.M)
        found.append((key, f"{name}, changed", to, kept))
    return found


def random_asks(clusters: dict[str, Cluster], number: int, seed: str) -> list[Ask]:
    """Of so many scripts for each system that stand near its limits, those that it accepts, each to one that runs."""
    draw = random.Random(seed)
    runs = [key for key, cluster in clusters.items() if cluster.running]
    slurm = [cluster for cluster in clusters.values() if cluster.scheduler.kind == "slurm"]
    near = [[cluster.key, script] for cluster in slurm for script in cases(cluster, number, seed)]
    return [
        (key, "at random", draw.choice([to for to in runs if to != key]), script)
        for (key, script), decided in zip(near, ask("decide", slurm, near), strict=True)
        if decided["verdict"] == "accepted"
    ]


def moved(clusters: dict[str, Cluster], asks: Iterable[Ask]) -> list[Moved]:
    asks, every = list(asks), clusters.values()
    answers = ask("move", every, [[key, to, text] for key, _, to, text in asks])
    before = [[key, text] for key, _, _, text in asks]
    after = [[to, answer["script"]] for (_, _, to, _), answer in zip(asks, answers, strict=True)]
    needs = zip(ask("need", every, before), ask("need", every, after), strict=True)
    return [
        Moved(clusters[key], clusters[to], name, text, **answer, had=had, has=has if answer["script"] else None)
        for (key, name, to, text), answer, (had, has) in zip(asks, answers, needs, strict=True)
    ]


def not_kept(case: Moved) -> Iterator[str]:
    """What the new script has less of than the old one, without its being said."""
    had, has, said = case.had, case.has, " ".join(case.impossible)
    if has is None:
        if not NO_PLACE.search(said):
            yield f"{case.what}: no script, and no reason: {said}"
        return
    if has["gpus"] < had["gpus"]:
        yield f"{case.what}: {has['gpus']} GPUs of {had['gpus']}"
    if had["gpus"]:
        old, new = case.old.gpus[had["key"]], case.new.gpus[has["key"]]
        if new.memory.mib < old.memory.mib and f"no GPU with {old.memory}" not in said:
            yield f"{case.what}: a GPU of {new.memory} for one of {old.memory}"
        if has["nodes"] > had["nodes"] and "--standalone" in case.script:
            yield f"{case.what}: several nodes, and torchrun starts on one"
    pieces = re.search(r"--array=1-(\d+)%1\n", case.script)
    times = int(pieces[1]) if pieces and had["array"] is None else 1
    parts = re.search("adding `--dependency=afterany|submits itself", said)
    if had["minutes"] is not None and has["minutes"] * times < had["minutes"] and not parts:
        yield f"{case.what}: {has['minutes']} minutes of {had['minutes']}"
    yield from tasks_lost(case)
    yield from memory_lost(case)
    if not had["gpus"] and has["perTask"] < had["perTask"] and not LESS.search(said):
        yield f"{case.what}: {has['perTask']} cores of {had['perTask']}"


def memory_lost(case: Moved) -> Iterator[str]:
    """Has it less memory than before, or than its GPUs' share, without its being said?"""
    had, has, said = case.had, case.has, " ".join(case.impossible)
    if _spread(case):
        lost = (has["memory"] + 1024) * has["nodes"] < had["memory"] * had["nodes"]
        if lost and not LESS.search(said):
            yield f"{case.what}: {has['memory']} MiB on {has['nodes']} nodes of {had['memory']} MiB"
    elif has["memory"] and had["memory"]:
        share = case.new.gpus[has["key"]].fair_share if has["gpus"] else None
        least = share.memory.mib * has["perNode"] if share and share.memory else had["memory"]
        usual = any(change["reason"].startswith("The usual nodes of") for change in case.changes)
        kept = has["memory"] / 0.97 if usual else has["memory"] + 1024  # rather than wait for the few larger nodes
        if kept < min(least, had["memory"]) and not LESS.search(said):
            yield f"{case.what}: {has['memory']} MiB of {had['memory']}, share {least}"


def _spread(case: Moved) -> bool:
    """Do the tasks of a CPU job, and its memory with them, stand on more nodes now?"""
    had, has = case.had, case.has
    both = has["memory"] and had["memory"]
    return bool(both and has["nodes"] > had["nodes"] and not has["gpus"])


def tasks_lost(case: Moved) -> Iterator[str]:
    """Has a CPU job fewer tasks than before, without its being said?"""
    kept = case.has["tasks"] or case.has["tasksPerNode"] * case.has["nodes"]
    had = case.had["tasks"] or 0
    if not case.had["gpus"] and kept < had and not LESS.search(" ".join(case.impossible)):
        yield f"{case.what}: {kept} tasks of {had}"


def told(case: Moved) -> Iterator[str]:
    """Are the changes those between the two scripts, each with a reason?"""
    lines = case.text.splitlines()
    for change in case.changes:
        if not change["reason"]:
            yield f"{case.what}: no reason for {change}"
        if change["line"] is not None and lines[change["line"] - 1] != change["from"]:
            yield f"{case.what}: line {change['line']} is not {change['from']!r}"
    rest = list(lines) if case.script else []
    for change in case.changes:
        if change["line"] is not None:
            rest[change["line"] - 1] = None
    kept = [line for line in rest if line is not None]
    new = case.script.splitlines()
    if case.script and any(line not in new for line in kept):
        yield f"{case.what}: a line is gone without a word"
    steps = [each for each in case.impossible if re.match("Check that .* (?:found|exists) on|The script runs `", each)]
    for name in re.findall("`(?!command -v)(?:[^`]*/)?([^`]*)`", " ".join(steps)):
        known = any(fnmatchcase(name, start.split()[0]) for each in programs() for start in each.starts)
        if known or name not in case.script:
            yield f"{case.what}: {name} is in the table of programs, or not in the new script"


def refused(cases: Iterable[Moved]) -> list[str]:
    """Those that the twin of their new system refuses."""
    of_each: dict[str, list[Moved]] = defaultdict(list)
    for case in cases:
        if case.script:
            of_each[case.new.key].append(case)
    return [
        f"{case.what}: {answer.said}\n{case.script}"
        for own in of_each.values()
        for case, answer in zip(own, ask_many(twins.twin(own[0].new), [each.script for each in own]), strict=True)
        if not answer.accepted
    ]


def accused(cases: Iterable[Moved]) -> list[str]:
    """What the engine finds refused or ignored in the new scripts."""
    cases = [case for case in cases if case.script]
    clusters = {case.new.key: case.new for case in cases}.values()
    judged = ask("found", clusters, [[case.new.key, case.script] for case in cases])
    return [
        f"{case.what}: {each['what']}"
        for case, answer in zip(cases, judged, strict=True)
        for each in answer["findings"]
        if each["kind"] in ("refused", "fails", "ignored")
    ]


def faults_of_moves(clusters: dict[str, Cluster], number: int, seed: str) -> tuple[int, list[str]]:
    """Every job script of the guide to every other system, so many that are changed, and many at random.

    One at random may fit no system, such as one of a thousand nodes: the command shows that it is refused.
    """
    asks = all_asks(clusters)
    guides = moved(clusters, asks)
    likely = [*guides, *moved(clusters, changed(asks, number, seed))]
    cases = [*likely, *moved(clusters, random_asks(clusters, 100, seed))]
    faults = [fault for case in cases for look in (not_kept, told) for fault in look(case)]
    return len(cases), faults + refused(likely) + accused(guides)


def directives(text: str) -> dict[str, str | None]:
    """Name -> value of the directives that count."""
    return {name: option.value for name, option in last(read(text.splitlines(), "slurm")).items()}
