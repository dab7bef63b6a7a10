"""What was checked, how and when: `snippets/made/evidence.json`, written by `pytest --evidence`, read by the site.

The file maps a snippet's path to a Record. A record belongs to one state of the file (its hash);
of a file that has changed since, the site says so.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import MADE, ROOT, shown

EVIDENCE = MADE / "evidence.json"

# Each kind of evidence, and the words on the page; about/how-checked.md has a heading for each.
KINDS = {
    "ran": "Ran on a CPU",
    "simulated": "Simulated",
    "judged": "Accepted",
    "parsed": "Parsed",
    "measured": "Measured",
    "not checked": "Not checked",
}


TO_ITS_END = "ran to its end there"  # in the words of a check that also ran the job


@dataclass(frozen=True)
class Record:
    """One check that passed. `detail` completes the sentence; for "not checked" it is the reason."""

    how: str
    detail: str
    date: str
    sha256: str

    @property
    def weight(self) -> int:
        """What says more: a job that ran, a scheduler's verdict, the reason why there is none, a parser's."""
        if TO_ITS_END in self.detail:
            return 3
        return 2 if self.how == "judged" else 1 if "site's own" in self.detail else 0

    def sentence(self) -> str:
        joint = (
            ": "
            if self.how == "not checked"
            else " "
            if self.detail.startswith(("by ", "as ", "with ", "on "))
            else ": "
        )
        return f"{KINDS[self.how]}{joint}{self.detail}" if self.detail else KINDS[self.how]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def read(path: Path = EVIDENCE) -> dict[str, Record]:
    """The records, or none if there is no such file. Raises BadInput for a file that holds anything else."""
    if not path.exists():
        return {}
    try:
        records = {name: Record(**fields) for name, fields in json.loads(path.read_text(encoding="utf-8")).items()}
        unknown = [record.how for record in records.values() if record.how not in KINDS]
    except (ValueError, TypeError, AttributeError) as fault:
        raise BadInput(
            shown(path),
            getattr(fault, "lineno", None),
            f"this is not evidence: {fault}.",
            "Delete the file and run `make evidence`.",
        ) from None
    if unknown:
        raise BadInput(shown(path), None, f"`{unknown[0]}` is no kind of evidence.", f"Known: {', '.join(KINDS)}.")
    return records


def merge(new: dict[str, Record], path: Path = EVIDENCE) -> None:
    """Put new records into the file.

    A check repeated on an unchanged file keeps its first date, so that diffs stay small; and a weaker check of it, as
    on a machine without the scheduler, takes nothing away.
    """
    records = read(path)
    for name, record in new.items():
        old = records.get(name)
        same_file = old is not None and old.sha256 == record.sha256
        if same_file and (old.weight > record.weight or (old.how, old.detail) == (record.how, record.detail)):
            continue
        records[name] = record
    kept = {name: asdict(record) for name, record in sorted(records.items()) if (ROOT / name).exists()}
    scratch = path.with_suffix(".part")
    scratch.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")
    scratch.replace(path)
