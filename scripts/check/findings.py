"""All findings about a script: what the engine finds in it, the scheduler's verdict, and shellcheck's warnings."""

import re
from collections.abc import Sequence
from pathlib import Path

from scripts.check.report import Report
from scripts.check.scheduler import Answer, answer_of
from scripts.check.shell import shellcheck
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import FACTS, SNIPPETS

FIELDS = ("line", "kind", "what", "cure", "rule", "option", "limit", "source")
NEWER = re.compile(r"unrecognized option|invalid option")
PLACE = "node configuration is not available"  # versions of Slurm differ in which jobs they can place
INSTEAD = "The guide's engine judged instead. It knows the scheduler's rules, but it is not the scheduler."


def check(cluster: Cluster, scripts: Sequence[tuple[str, bytes]], accounts: bool = False) -> list[list[Report]]:
    """All findings about each of these (name, script) on one cluster, by line: what findings call it, and its bytes.

    `accounts`: the twin that keeps accounts gives the verdict.
    """
    asked = [[cluster.key, data.decode("utf-8", "surrogateescape"), file] for file, data in scripts]
    judged = ask("check", [cluster], asked)
    submitted = [each["submit"].encode("utf-8", "surrogateescape") for each in judged]
    # nothing is submitted of an empty file, and of a script that only submits others
    warnings = shellcheck([script or data for script, (_, data) in zip(submitted, scripts, strict=True)])
    return [
        _of_one(cluster, each, script, file, [Report(file, *rest) for rest in warnings[script or data]], accounts)
        for each, script, (file, data) in zip(judged, submitted, scripts, strict=True)
    ]


def _of_one(
    cluster: Cluster, judged: dict, script: bytes, file: str, of_shell: list[Report], accounts: bool
) -> list[Report]:
    found = [Report(file, **{name: each[name] for name in FIELDS}) for each in judged["findings"]]
    if not script:
        return [*found, *of_shell]
    own = (SNIPPETS, FACTS / cluster.key)
    if any(map(Path(file).resolve().is_relative_to, own)):  # in the guide's own scripts the sample account is right
        found = [each for each in found if each.rule != "account-sample"]
    try:
        found = by_scheduler(cluster, found, judged["decision"], answer_of(cluster, script, file, accounts), file)
    except BadInput as fault:
        rule = "no-twin" if judged["decision"] == "not judged" else "by-engine"
        found.append(Report(file, 1, "not judged", str(fault), INSTEAD, rule))
    once = {(each.line, each.kind, each.what): each for each in [*found, *of_shell]}
    return sorted(once.values(), key=lambda each: each.line)


def by_scheduler(cluster: Cluster, found: list[Report], decision: str, answer: Answer, file: str) -> list[Report]:
    """The engine's findings beside the scheduler's answer, which decides whether the script is accepted or refused."""
    if decision == "not judged" and NEWER.search(answer.said):
        return found  # the scheduler of this machine is older than the option
    left = [each for each in found if each.rule == "not-judged-here"]  # the scheduler has judged it
    found = [each for each in found if each not in left]
    if answer.accepted and decision == "refused":
        said = f"{cluster.name}'s simulated scheduler accepts this script, but the engine rejects it."
        rest = [each for each in found if each.kind != "refused"]
        sure = [each for each in rest if each.rule != "cores-with-threads"]
        if len(sure) < len(rest):  # the engine doubted it
            return sure
        return [*rest, Report(file, 1, "not judged", said, "Report this to the guide's authors.", "disagreement")]
    if not answer.accepted and decision != "refused":  # on the first line that the engine leaves to the scheduler
        line, option = (left[0].line, left[0].option) if left else (1, None)
        said = f"{cluster.name}'s simulated scheduler rejects this script: {answer.words}."
        doubtful = decision == "accepted" and PLACE in answer.words
        kind, said = ("doubtful", f"{said} Another version of Slurm may accept it.") if doubtful else ("refused", said)
        return [*found, Report(file, line, kind, said, "", "scheduler", option)]
    return found
