"""All findings about a script: what the engine finds in it, the scheduler's verdict, and shellcheck's warnings."""

from __future__ import annotations

from pathlib import Path

from scripts.check.report import Report
from scripts.check.scheduler import Answer, answer_of
from scripts.check.shell import shellcheck
from scripts.engine.ask import ask
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import SNIPPETS

FIELDS = ("line", "kind", "what", "cure", "rule", "option", "limit", "source")
INSTEAD = "The guide's engine judged instead; it knows the scheduler's rules, but is not the scheduler."


def check(cluster: Cluster, data: bytes, file: str) -> list[Report]:
    """All findings about one script on one cluster, by line. `file` is what they call it."""
    (judged,) = ask("check", [cluster], [[cluster.key, data.decode("utf-8", "surrogateescape"), file]])
    found = [Report(file, **{name: each[name] for name in FIELDS}) for each in judged["findings"]]
    if not judged["submit"]:
        return found
    if Path(file).resolve().is_relative_to(SNIPPETS):  # in the guide's own scripts the sample account is right
        found = [each for each in found if each.rule != "account-sample"]
    script = judged["submit"].encode("utf-8", "surrogateescape")
    try:
        found = by_scheduler(cluster, found, judged["decision"], answer_of(cluster, script, file), file)
    except BadInput as fault:
        open_questions = any(each.kind == "not judged" for each in found)
        rule = "no-twin" if open_questions else "by-engine"
        found.append(Report(file, 1, "not judged", str(fault), INSTEAD, rule))
    once = {(each.line, each.kind, each.what): each for each in [*found, *shellcheck(script, file)]}
    return sorted(once.values(), key=lambda each: each.line)


def by_scheduler(cluster: Cluster, found: list[Report], decision: str, answer: Answer, file: str) -> list[Report]:
    """The engine's findings beside the scheduler's answer, which decides whether the script is accepted or refused."""
    left = [each for each in found if each.rule == "not-judged-here"]  # the scheduler has judged it
    found = [each for each in found if each not in left]
    if answer.accepted and decision == "refused":
        said = f"{cluster.name}'s twin accepts this script; the engine would refuse it."
        refusals = [each for each in found if each.kind != "refused"]
        return [*refusals, Report(file, 1, "not judged", said, "Report this to the guide's authors.", "disagreement")]
    if not answer.accepted and decision != "refused":
        return [*found, in_its_words(cluster, left, answer, file)]
    return found


def in_its_words(cluster: Cluster, left: list[Report], answer: Answer, file: str) -> Report:
    """Why the scheduler refuses, on the first line with an option that the engine has `left` to it."""
    line, option = (left[0].line, left[0].option) if left else (1, None)
    for each in left:
        # The engine knows the options of newer versions, too.
        if "unrecognized option" in answer.said and each.option.split("=")[0] in answer.said:
            what = f"`{each.option}` is newer than the Slurm that judges here."
            return Report(file, each.line, "not judged", what, "Read that cluster's manual: man sbatch", "newer-option")
    return Report(file, line, "refused", f"{cluster.name}'s twin says: {answer.words}.", "", "scheduler", option)
