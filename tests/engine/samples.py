"""The samples of each rule, as scripts."""

from collections.abc import Iterable
from dataclasses import dataclass

from scripts.engine.ask import ask


@dataclass(frozen=True)
class Sample:
    """rule: as the command `catalogue` gives it. kind: of scheduler. bad: does the rule find something in it?"""

    rule: dict
    kind: str
    bad: bool
    text: str

    @property
    def own(self) -> bool:
        """Is it written for this scheduler? To another one its commands may be strange."""
        return self.kind == self.rule["schedulers"][0]

    @property
    def script(self) -> str:
        """The sample as a script; where the rule looks at the file itself, the sample is one."""
        if self.rule["where"] in ("first line", "file") or self.text.startswith("#!/"):
            return self.text
        below = "hostname\n" if self.text.startswith("#") else ""
        return f"#!/bin/bash\n{self.text}\n{below}"

    def with_options(self, line: str) -> str:
        return self.script.replace("\n", f"\n{line}\n", 1)


def samples() -> list[Sample]:
    return [
        sample
        for rule in ask("catalogue", [])
        for kind in rule["schedulers"]
        for quality in ("bad", "good")
        for text in rule[quality]
        if (sample := Sample(rule, kind, quality == "bad", text)).own or not text.startswith("#SBATCH")
    ]


def few(chosen: Iterable[Sample]) -> list[Sample]:
    """The last of each rule's bad ones and good ones: enough by day for what is slow."""
    return list({(each.rule["id"], each.kind, each.bad): each for each in chosen}.values())
