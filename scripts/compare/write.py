"""Write what a capture shows into the facts, and its verdicts into the record of checks.

All of it, or nothing: the new facts are read before they take the place of the old. What was read is kept beside them,
as `captures/DATE.txt` (a second one of that day as `DATE-2.txt`), without a line of what was not read.
"""

import re
from pathlib import Path

from scripts.compare.capture import Capture
from scripts.compare.read import END, FORM
from scripts.compare.rows import AGREES, DIFFERS, Row
from scripts.digests import digest_of
from scripts.errors import BadInput
from scripts.evidence.dependencies import rests_on
from scripts.evidence.records import THERE, Record, merge
from scripts.facts import load_named, today
from scripts.facts.edit import Edits, checked, refuse_package
from scripts.facts.model import GROUPS
from scripts.families import shared
from scripts.paths import FACTS, OURS, shown, write_whole


def write(key: str, capture: Capture, date: str, rows: list[Row]) -> list[str]:
    """What was done, in sentences. Raises BadInput, with nothing written, if the facts would not be well formed."""
    if capture.twin:
        what = "this output comes from the guide's own simulated scheduler."
        raise BadInput(capture.file, None, what, "Use the output of the real cluster.")
    refuse_package("--write")
    folder = FACTS / key
    kept = place(folder / "captures", date, clean(capture, date))
    name = load_named(key).name
    values, by_hand = edits(rows, [row for row in rows if row.verdict == DIFFERS])
    told = [f"Not written. Check this value yourself: {row.key}: {row.theirs or 'none'}" for row in by_hand]
    accepted = _accepted(folder, capture)
    if not values and not accepted:
        return [*told, "Nothing was written."]
    source = {"title": f"Asked {name} itself", "url": f"captures/{kept.name}", "dated": date, "read": str(today())}
    text = changed(folder / "cluster.yml", values, source) if values else None
    write_whole(kept, clean(capture, date))
    if text:
        write_whole(folder / "cluster.yml", text)
        told += [f"Wrote {'.'.join(path)}: {value or 'removed'}" for path, value in values.items()]
        tables = "`make tables-diff` and " if OURS else ""
        told.append(f"Now run {tables}`git add {shown(folder)}`, because its captures/ may be new.")
        told.append(f"If the operator changed something, add that to {shown(FACTS / 'changes.yml')}, too.")
    if OURS:  # the record of checks is of our own scripts
        merge(
            {
                str(shown(path)): Record(THERE, f"by {name} itself, in {kept.name}", date, rests_on(path, {}))
                for path in accepted
            }
        )
    return told + [f"Accepted by {name} itself, {date}: {shown(path)}" for path in accepted]


def edits(rows: list[Row], wanted: list[Row]) -> tuple[dict[tuple[str, ...], str | None], list[Row]]:
    """Of the wanted rows the values to write, and those that a person must look at."""
    values: dict[tuple[str, ...], str | None] = {}
    by_hand = []
    settled = {row.key for row in rows if row.verdict == AGREES}  # one part of the capture agrees, another does not
    for row in wanted:
        if not row.edit or row.key in settled or values.get(row.edit[0], row.edit[1]) != row.edit[1]:
            by_hand.append(row)
        else:
            values[row.edit[0]] = row.edit[1]
    for row in by_hand:
        values.pop(row.edit[0], None) if row.edit else None
    return values, by_hand


def changed(file: Path, values: dict[tuple[str, ...], str | None], source: dict[str, str]) -> str:
    """The facts file's new text. Raises BadInput if it would not be well formed."""
    new = Edits(file.read_text(encoding="utf-8"))
    for path, value in values.items():
        new.put(path, _quoted(value) if path[-1] == "version" else value)
        new.doubt(".".join(path))
    for group in dict.fromkeys(path[0] for path in values if path[0] in GROUPS):
        new.source(group, source)
    return checked(file, new.result())


def _quoted(value: str | None) -> str | None:
    return f'"{value}"' if value and re.fullmatch(r"[0-9.]+", value) else value


def _accepted(folder: Path, capture: Capture) -> list[Path]:
    """The guide's scripts, as they are now, that were accepted there."""
    shared.write()  # a family's, which git does not keep
    sums = {verdict.sha256 for verdict in capture.verdicts if verdict.accepted}
    return [path for path in sorted(folder.glob("*.sh")) if digest_of(path) in sums]


def place(folder: Path, date: str, text: str) -> Path:
    """Where a capture is kept: DATE.txt, or DATE-2.txt and so on where another one of that day is."""
    file, number = folder / f"{date}.txt", 1
    while file.exists() and file.read_text(encoding="utf-8") != text:
        number += 1
        file = folder / f"{date}-{number}.txt"
    return file


def clean(capture: Capture, date: str) -> str:
    """What was read of a capture, in the form of ask_cluster.sh: nothing that was not read is in it."""
    lines = [f"{FORM} read from a capture", f"# date: {date}"]
    lines += ["## config: scontrol show config"] if capture.config else []
    lines += [f"{key} = {value}" for key, value in capture.config.items()]
    for section, records in (("partition", capture.partitions), ("node", capture.nodes)):
        if records:
            lines.append(f"## {section}s: scontrol -o show {section}")
        for record in records:
            words = {key: value.replace(" ", "") for key, value in record.values.items() if value}
            words = {"Count": words.pop("Count", "1"), **words} if section == "node" else words
            lines.append(" ".join(f"{key}={value}" for key, value in words.items()))
    if capture.verdicts:
        lines.append("## verdicts: sbatch --test-only")
        lines += [
            f"{'accepted' if each.accepted else 'refused'} {each.sha256} {each.name}" for each in capture.verdicts
        ]
    return "\n".join([*lines, END, ""])
