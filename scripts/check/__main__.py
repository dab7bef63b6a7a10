"""Check whether a job script is correct for a cluster, before you submit it.

    guide check kestrel my.sh
    guide check kestrel jobs/               all job scripts in a folder
    guide check kestrel - < my.sh           standard input
    guide check --accounts kestrel my.sh    also check the limits of QOS and accounts

Prints what the scheduler rejects, what fails in the job, what has no effect, warnings, and ShellCheck's findings, each
with file, line, reason and fix. The exit status is 0, or 1 if something is rejected, fails or is ignored. It is 2 if a
script could not be judged.
"""

import json
import sys
from collections import Counter
from dataclasses import asdict
from itertools import chain

from scripts.check.files import scripts
from scripts.check.findings import check
from scripts.check.report import LEVELS, Report, notes
from scripts.check.sarif import sarif
from scripts.errors import BadInput, parser_of, run
from scripts.facts import Cluster, load_named


def main() -> int:
    parser = parser_of("guide check", __doc__)
    parser.add_argument("cluster", help="a system, such as puhti")
    parser.add_argument("file", nargs="+", help="a script, a folder, or - for standard input")
    help = "also enforce accounts and their limits: Slurm with slurmdbd and MariaDB"
    parser.add_argument("--accounts", action="store_true", help=help)
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print the findings as a list in JSON")
    form.add_argument("--sarif", action="store_true", help="print the findings as SARIF 2.1.0")
    form.add_argument("--github", action="store_true", help="print the findings as GitHub's workflow commands")
    arguments = parser.parse_args()
    cluster = load_named(arguments.cluster)
    every = dict(scripts(arguments.file, cluster.scheduler.kind))  # one that is named twice is judged once
    unread = [data for data in every.values() if isinstance(data, BadInput)]
    given = [(name, data) for name, data in every.items() if isinstance(data, bytes)]
    found = list(chain(*check(cluster, given, arguments.accounts)))
    if arguments.json:
        print(json.dumps([asdict(report) for report in found], indent=1))
    elif arguments.sarif:
        print(json.dumps(sarif(found), indent=1))
    elif arguments.github:
        print(*notes(found), closing(cluster, found, len(given)), sep="\n")
    elif found or not unread:
        print(*map(str, found), closing(cluster, found, len(given)), sep="\n")
    for fault in unread:
        print(fault, file=sys.stderr)
    return 2 if unread else status(found)


def closing(cluster: Cluster, found: list[Report], scripts: int) -> str:
    """The last line: how many findings of each kind, who judged how many scripts, and what is never judged."""
    counts = Counter(report.kind for report in found)
    words = ", ".join(f"{counts[kind]} {kind}" for kind in LEVELS if counts[kind]) or "no findings"
    alone = sum(report.rule in ("by-engine", "no-twin") for report in found)
    how = f"{alone} of them without" if 0 < alone < scripts else "without" if alone else "with"
    how = f"Checked {scripts} script{'s' * (scripts != 1)}, {how} a simulated scheduler."
    return f"{cluster.name}: {words}. {how} We cannot check which accounts you may use."


def status(found: list[Report]) -> int:
    if {report.kind for report in found} & {"refused", "fails", "ignored"}:
        return 1
    return 2 if any(report.rule == "no-twin" for report in found) else 0


if __name__ == "__main__":
    run(main, status=2)
