"""What was checked, how and when: `snippets/evidence.json`, written by `pytest --evidence`, read by the site.

The file maps a snippet's path to a Record, a line each. A record belongs to one state of all that it rests on (see
dependencies.py); once that has changed, the site says so and claims nothing.
"""

import json
import re
from dataclasses import asdict, dataclass
from functools import lru_cache
from pathlib import Path

from scripts.errors import BadInput, utf8
from scripts.evidence.dependencies import changed
from scripts.paths import ROOT, SNIPPETS, shown, write_whole

EVIDENCE = SNIPPETS / "evidence.json"

# Each kind of evidence, and the words on the page; about/how-checked.md has a heading for each.
THERE = "accepted there"
KINDS = {
    "ran": "Ran on a CPU",
    "gpu": "Ran on a GPU",
    "simulated": "Simulated",
    "judged": "Accepted",
    THERE: "Accepted",
    "parsed": "Syntax checked",
    "measured": "Measured",
    "not checked": "Not checked",
}


LEFT_OUT = {", its options": " The command itself was not run.", "numbers aside": " Your numbers may differ."}
TO_ITS_END = "ran to its end there"  # in the words of a check that also ran the job


def _stand_ins(found: re.Match[str]) -> str:
    """`pip, the GPU, virtualenv` as "pip, virtualenv and the GPU": programs first."""
    names = sorted(found[1].split(", "), key=lambda name: name == "the GPU")
    *first, last = (name.capitalize() if name in ("singularity", "apptainer") else name for name in names)
    return f", with small test data and stand-ins for {', '.join(first)}{' and ' if first else ''}{last}"


# A check's words, and those that readers see.
FOR_READERS = [
    (r"^by (.+?) as ([^,;]+)", r"by \1 on our machines, configured like \2"),
    (r"^by bash and shellcheck\b", "with bash and ShellCheck"),
    (r"; (\w+) is the site's own command, .*", r" (our simulated schedulers do not have \1, the site's own command)"),
    (r"^we have no (.+) and no GPU here", r"our test machine has neither \1 nor a GPU"),
    (r", its options\b", ""),
    (r", small, with stand-ins for (.+)$", _stand_ins),
    (r"^as it stands, torchvision's", "with its own code unchanged, but torchvision's"),
    (r"^as it stands\b", "without changes"),
    (r"^compared with a real run, numbers aside", "and printed this output"),
    (r", at full size\b", ", without changes"),
    (r", torchvision's compiled operators", ", with torchvision's compiled operators"),
    (r", small files in CIFAR-10's format", ", a folder of small files in CIFAR-10's format"),
    (r", HIP replaced by a loop over its threads", ", with HIP replaced by a loop over the threads"),
    (r"; CuPy's lines did not run, they need a GPU", ", but skipped the CuPy lines, which need a GPU"),
    (r"; its pictures are made up, CIFAR-10's were not read", ", with generated images instead of CIFAR-10"),
    (r", a small model that has read little", ", and with a small, barely trained model"),
    (r"^with (?=`\w+`)", "with the argument "),
    (r"^with (?=`\w+ )", "with the arguments "),
    (r"; ((?:[\w-]+ \d[\d.]*(?:, )?)+)$", r" (\1)"),
]
OPENINGS = ("and ", "by ", "on ", "with ", "without ")


@dataclass(frozen=True)
class Record:
    """One check that passed. `detail` completes the sentence; for "not checked" it is the reason.

    rests_on: what it rests on, name -> hash; see dependencies.py.
    """

    how: str
    detail: str
    date: str
    rests_on: dict[str, str]

    def __post_init__(self):
        if not all(isinstance(text, str) for text in (self.detail, self.date, *self.rests_on.values())):
            raise TypeError("a record holds text alone")

    @property
    def weight(self) -> int:
        """What says more: the cluster's own verdict, a job that ran on its twin, the twin's verdict, the reason why
        there is none, a parser's.
        """
        if self.how == THERE:
            return 4
        if TO_ITS_END in self.detail:
            return 3
        return 2 if self.how == "judged" else 1 if "site's own" in self.detail else 0

    @property
    def word(self) -> str:
        """What was done, in a word or two."""
        word = f"{KINDS[self.how]} and run" if TO_ITS_END in self.detail else KINDS[self.how]
        return "Options accepted" if ", its options" in self.detail else word

    @property
    def more(self) -> str:
        """What stands behind the word: by what, with what, or why not."""
        detail = self.detail.replace(f"; {TO_ITS_END}", "")
        for pattern, words in FOR_READERS:
            detail = re.sub(pattern, words, detail)
        return f"{' ' if detail.startswith(OPENINGS) else ': '}{detail}" if detail else ""

    @property
    def trust(self) -> str:
        """How far: `full` where it ran, `half` where it was judged or simulated, else `none`."""
        if self.how in ("ran", "gpu", "measured", THERE) or TO_ITS_END in self.detail:
            return "full"
        return "half" if self.how in ("judged", "simulated") else "none"


def read(path: Path = EVIDENCE) -> dict[str, Record]:
    """The records, or none if there is no such file. Raises BadInput for a file that holds anything else."""
    return dict(_read(path, utf8(path.read_bytes(), shown(path)))) if path.exists() else {}


@lru_cache(maxsize=1)  # pages ask for it one after the other
def _read(path: Path, text: str) -> dict[str, Record]:
    try:
        records = {name: Record(**fields) for name, fields in json.loads(text).items()}
        unknown = [record.how for record in records.values() if record.how not in KINDS]
    except (ValueError, TypeError, AttributeError) as fault:
        line, what = getattr(fault, "lineno", None), f"this is not evidence: {fault}."
        raise BadInput(shown(path), line, what, "Delete the file and run `make evidence`.") from None
    if unknown:
        raise BadInput(shown(path), None, f"`{unknown[0]}` is not a kind of evidence.", f"Known: {', '.join(KINDS)}.")
    return records


def merge(new: dict[str, Record], path: Path = EVIDENCE) -> None:
    """Put new records into the file.

    A check repeated where nothing has changed keeps its first date, so that diffs stay small; and a weaker check of it,
    as on a machine without the scheduler, takes nothing away.
    """
    records = read(path)
    for name, record in new.items():
        old = records.get(name)
        same = old is not None and not changed(old.rests_on, record.rests_on)
        if same and (old.weight > record.weight or (old.how, old.detail) == (record.how, record.detail)):
            continue
        records[name] = record
    kept = {name: asdict(record) for name, record in sorted(records.items()) if (ROOT / name).exists()}
    lines = ",\n".join(f"{json.dumps(name)}: {json.dumps(fields)}" for name, fields in kept.items())
    write_whole(path, f"{{\n{lines}\n}}\n")
