"""All findings about a script: what the engine finds in it, the scheduler's verdict, and shellcheck's warnings."""

from __future__ import annotations

import re
from pathlib import Path

from scripts.check.report import Report
from scripts.check.scheduler import Answer, answer_of
from scripts.check.shell import shellcheck
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import SNIPPETS

FIELDS = ("line", "kind", "what", "cure", "rule", "option", "limit", "source")
NEWER = re.compile(r"unrecognized option|invalid option")
INSTEAD = "The guide's engine judged instead; it knows the scheduler's rules, but is not the scheduler."


def check(cluster: Cluster, data: bytes, file: str) -> list[Report]:
    """All findings about one script on one cluster, by line. `file` is what they call it."""
    (judged,) = ask("check", [cluster], [[cluster.key, data.decode("utf-8", "surrogateescape"), file]])
    found = [Report(file, **{name: each[name] for name in FIELDS}) for each in judged["findings"]]
    if not judged["submit"]:  # an empty file, or a script that only submits others
        return [*found, *shellcheck(data, file)]
    if Path(file).resolve().is_relative_to(SNIPPETS):  # in the guide's own scripts the sample account is right
        found = [each for each in found if each.rule != "account-sample"]
    script = judged["submit"].encode("utf-8", "surrogateescape")
    try:
        found = by_scheduler(cluster, found, judged["decision"], answer_of(cluster, script, file), file)
    except BadInput as fault:
        rule = "no-twin" if judged["decision"] == "not judged" else "by-engine"
        found.append(Report(file, 1, "not judged", str(fault), INSTEAD, rule))
    once = {(each.line, each.kind, each.what): each for each in [*found, *shellcheck(script, file)]}
    return sorted(once.values(), key=lambda each: each.line)


def by_scheduler(cluster: Cluster, found: list[Report], decision: str, answer: Answer, file: str) -> list[Report]:
    """The engine's findings beside the scheduler's answer, which decides whether the script is accepted or refused."""
    if decision == "not judged" and NEWER.search(answer.said):
        return found  # the scheduler of this machine is older than the option
    left = [each for each in found if each.rule == "not-judged-here"]  # the scheduler has judged it
    found = [each for each in found if each not in left]
    if answer.accepted and decision == "refused":
        said = f"{cluster.name}'s twin accepts this script; the engine would refuse it."
        refusals = [each for each in found if each.kind != "refused"]
        return [*refusals, Report(file, 1, "not judged", said, "Report this to the guide's authors.", "disagreement")]
    if not answer.accepted and decision != "refused":  # on the first line that the engine leaves to the scheduler
        line, option = (left[0].line, left[0].option) if left else (1, None)
        said = f"{cluster.name}'s twin says: {answer.words}."
        return [*found, Report(file, line, "refused", said, "", "scheduler", option)]
    return found
