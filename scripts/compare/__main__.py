"""Compare the output of a real cluster's scheduler with the facts.

    guide compare kestrel asked-kestrel-2026-11-22.txt          the file that snippets/ask_cluster.sh wrote there
    guide compare lumi lumi.txt --date 2026-04-22               pasted output of scontrol show partition or node
    guide compare kestrel asked-kestrel-2026-11-22.txt --write  also change the facts

Prints what agrees, what differs, and what only one of the two has. A capture that is older than a fact's newest source
changes nothing. The exit status is 0, 1 if something differs in a newer capture, or 2 if a file could not be read.
"""

from collections import Counter

from scripts.compare.capture import Capture
from scripts.compare.compare import NOT_COMPARED, compare
from scripts.compare.day import a_day, day_of
from scripts.compare.read import read
from scripts.compare.rows import DIFFERS, ORDER, Row, counts
from scripts.compare.write import write
from scripts.errors import parser_of, run
from scripts.facts import load_named


def main() -> int:
    parser = parser_of("guide compare", __doc__)
    parser.add_argument("cluster", help="a system, such as puhti")
    parser.add_argument("file", help="a capture: the file of ask_cluster.sh, or pasted output")
    parser.add_argument("--date", help="the day of a capture that contains no date, such as 2026-11-22")
    parser.add_argument("--write", action="store_true", help="write the differences into the facts, with their source")
    arguments = parser.parse_args()
    given = a_day(arguments.date, "--date") if arguments.date else None
    cluster, capture = load_named(arguments.cluster), read(arguments.file)
    date = day_of(capture, given, arguments.write)
    rows = compare(cluster, capture, date)
    print("\n".join(report(cluster.name, capture, date, rows)))
    if arguments.write:
        print("\n".join(write(arguments.cluster, capture, date, rows)))
    return int(any(counts(row, date, cluster) for row in rows))


def report(name: str, capture: Capture, date: str, rows: list[Row]) -> list[str]:
    """The table, and what was not compared."""
    lines = [f"{name}, compared with {capture.file} from {date}"]
    widths = [max((len(cell) for cell in column), default=0) for column in zip(*map(_cells, rows), strict=True)]
    for verdict in ORDER:
        told = [row for row in rows if row.verdict == verdict]
        if told:
            lines += ["", f"{verdict}:"]
            lines += ["  " + "  ".join(map(str.ljust, _cells(row), widths)).rstrip() for row in told]
    number = Counter(row.verdict for row in rows)
    if rows:
        lines += ["", "; ".join(f"{number[verdict]} {verdict}" for verdict in ORDER if number[verdict]) + "."]
    if capture.twin:
        lines.append("This output comes from the guide's own simulated scheduler, so some of its values are made up.")
    if accepted := [verdict for verdict in capture.verdicts if verdict.accepted]:
        lines.append(f"The cluster accepted {len(accepted)} of {len(capture.verdicts)} job scripts.")
    lines += [f"Rejected there: {each.name}: {each.words or 'with a message of the site'}"
              for each in capture.verdicts if not each.accepted]  # fmt: skip
    lines += [f"Not tested there: {each}." for each in capture.not_asked]
    return [*lines, f"Not compared: {NOT_COMPARED}."]


def _cells(row: Row) -> tuple[str, ...]:
    if row.verdict in (DIFFERS, ORDER[1]):
        return row.key, f"facts: {row.ours or '–'}", f"cluster: {row.theirs or '–'}", row.where
    return row.key, row.ours, row.theirs if row.theirs != row.ours else "", row.where


if __name__ == "__main__":
    run(main, status=2)
