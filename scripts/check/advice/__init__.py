"""What the scheduler accepts and the cluster's pages warn of. The engine of the guide's page says it, from what the
scheduler understood; the samples of each idea stand in the YAML files here.
"""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from scripts.check.asked import Asked, Job
from scripts.check.report import Report
from scripts.errors import BadInput
from scripts.facts import Cluster
from scripts.paths import SNIPPETS

INSTEAD = "Advice comes from the engine of the guide's page, which runs through Node."


def all(cluster: Cluster, asked: Asked, text: str, file: str) -> list[Report]:
    """Every advice about a script, each once. `asked` is what the scheduler understood of it."""
    from scripts.jobscript.node import ask  # it reads the whole guide, which is seldom needed here

    jobs = [None if job == Job() else asdict(job) for job in asked.jobs]
    try:
        (found,) = ask("advice", [cluster], cluster.key, [[text, jobs]], file)
    except BadInput as fault:
        return [Report(file, 1, "not judged", f"no advice: {fault}", INSTEAD, "no-advice")]
    # In the guide's own scripts the sample account is right.
    own = Path(file).resolve().is_relative_to(SNIPPETS)
    return [Report(**each) for each in found if not own or each["rule"] != "account-sample"]
