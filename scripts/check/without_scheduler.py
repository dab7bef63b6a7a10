"""Where no scheduler can be had, as on a login node or a Mac, the engine of the page answers, and that is said."""

from __future__ import annotations

from scripts.check.asked import Asked, GpuRequest, Job
from scripts.check.by_engine import decided, report
from scripts.check.directives import Option
from scripts.check.report import Report
from scripts.errors import BadInput
from scripts.facts import Cluster

INSTEAD = "The engine of the guide's page judged instead; it knows the scheduler's rules, and is no scheduler."


def without_scheduler(
    cluster: Cluster, script: bytes, file: str, fault: BadInput, taken: list[Option]
) -> tuple[Asked, list[Report]]:
    """What the engine understood, and its findings behind a line that says so; where there is no engine either, why
    nothing could be asked.

    fault: why no scheduler answers. taken: options of which somebody has said already that nobody knows.
    """
    try:
        answer = decided(cluster, script, file)
    except BadInput as other:
        return Asked(False, ""), [Report(file, 1, "not judged", f"{fault} {other}", "", "no-twin")]
    said = {(option.line, option.written) for option in taken}
    found = [
        report(file, each)
        for each in answer["findings"]
        if each["kind"] != "not judged" or (each["line"], each.get("option")) not in said
    ]
    rule = "no-twin" if any(each.kind == "not judged" for each in found) else "by-engine"
    accepted, jobs = answer["verdict"] == "accepted", tuple(map(_job, filter(None, [answer["asked"]])))
    return Asked(accepted, "", jobs), [Report(file, 1, "not judged", str(fault), INSTEAD, rule), *found]


def _job(given: dict) -> Job:
    return Job(**given | {"gpus": tuple(GpuRequest(**each) for each in given["gpus"])})
