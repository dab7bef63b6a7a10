"""What a document leaves to its reader, such as `<project>` or `{{ partition }}`: a plain value stands in its place
while the script is judged, on the same line, and nothing is said about that.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

from scripts.documents.script import Script
from scripts.engine.directives import read
from scripts.facts import Cluster
from scripts.facts.schedulers import WORDS

LEFT = re.compile(r"<[A-Za-z](?:[^<>\n]*[^<>\s])?>|\{\{[^{}\n]*\}\}")
IN_DIRECTIVE = re.compile(
    rf"<\d[^<>\n]*>|{LEFT.pattern}|(?<!\$)\{{[A-Za-z_]\w*\}}|(?<=--account=)(?:\[[^\]\n]*\]|(?=\s|$))"
)
OF_TEMPLATE = re.compile(r"\$\{\w+\}")
OMITTED = re.compile(r"(#(?:SBATCH|\$))?[ \t]*(?:\{%.*%\}|\[?\.\.\.+\]?|…)[ \t]*$")
MARK = "\ue000"  # stands for a placeholder, which may have blanks in it
LONGEST = 4000  # characters of a line that may have one
# Value by value, in this order: the option before the mark, and what is written for all of its value.
VALUES = (
    (re.compile(rf"((?:--time[= ]|-t ?)){MARK}?[^\s{MARK}]*{MARK}\S*"), r"\g<1>15:00"),
    (re.compile(rf"(--(?:qos|constraint|reservation)[= ]|-[qC] ?){MARK}"), ""),
    (re.compile(rf"((?:--mem[\w-]*[= ])){MARK}?[^\s{MARK}]*{MARK}?\S*(?<={MARK})\w*"), r"\g<1>1G"),
)
PARTITION = re.compile(rf"((?:--partition[= ]|-p ?)){MARK}")
TYPE = re.compile(rf"(gpu:|--gpus[\w-]*[= ]){MARK}(?=:)")
NUMBER = re.compile(rf"((?:--(?:nodes|n?tasks|cpus|gpus|array)[\w-]*[= ]|-[Nnc] ?|:)\d*-?){MARK}")


@dataclass(frozen=True)
class Filled:
    """text: with a value for each placeholder. own: the lines, from 1, that stand as in the document but for `account`,
    which was put before the options of one. open: the script omits options.
    """

    text: str
    own: frozenset[int]
    account: str = ""
    open: bool = False

    def document(self, line: str) -> str:
        """A line as the document has it."""
        return line.replace(self.account, "", 1) if self.account else line


def fillings(script: Script, cluster: Cluster) -> Iterator[Filled]:
    """Each way to fill in a partition and a name of a GPU, which decide the rest; one alone where both are written."""
    marked = [_marked(line, script.template) for line in script.text.split("\n")]
    partitions = [each.name or key for key, each in cluster.partitions.items()]
    gpus = [key for key, gpu in cluster.gpus.items() if not gpu.slice_of]
    named = any(map(PARTITION.search, marked))
    typed = any(map(TYPE.search, marked))
    account = _account(script, cluster)
    for partition, gpu in product(partitions if named else [""], gpus if typed and gpus else ["gpu"]):
        lines = [_filled(line, cluster, partition, gpu) for line in marked]
        own = {number for number, (line, mark) in enumerate(zip(lines, marked, strict=True), 1) if line == mark}
        words = ""
        if account:
            number, prefix, words = account
            lines[number - 1] = lines[number - 1].replace(prefix, f"{prefix} {words}".rstrip(), 1)
        lines = ["#" if line.strip() in ("#SBATCH", "#$") and n not in own else line for n, line in enumerate(lines, 1)]
        omits = any(line.startswith("#") and OMITTED.match(line) for line in script.text.split("\n"))
        yield Filled("\n".join(lines), frozenset(own), f" {words}" if words else "", script.part or omits)


def _account(script: Script, cluster: Cluster) -> tuple[int, str, str] | None:
    """(line, prefix, option): a document leaves the account to its reader."""
    sample, words = cluster.policy.sample_account, WORDS[cluster.scheduler.kind]
    options = read(script.text.split("\n"), cluster.scheduler.kind) if sample else []
    if not options or any(option.name == "account" for option in options):
        return None
    return options[0].line, words.prefix, f"{words.account}{sample}"


def _marked(line: str, template: bool) -> str:
    if len(line) > LONGEST:
        return line
    if line.startswith("#!") or not line.startswith("#"):
        return "# " + MARK if OMITTED.match(line) else LEFT.sub(MARK, line)
    if OMITTED.match(line):
        return "# " + MARK
    if not line.startswith(("#SBATCH", "#$")):
        return line
    line = IN_DIRECTIVE.sub(MARK, line)
    return OF_TEMPLATE.sub(MARK, line) if template else line


def _filled(line: str, cluster: Cluster, partition: str, gpu: str) -> str:
    if MARK not in line:
        return line
    if line.startswith("#"):
        for pattern, value in VALUES:
            line = pattern.sub(value, line)
        line = PARTITION.sub(rf"\g<1>{partition}", line)
        line = TYPE.sub(rf"\g<1>{gpu}", line)
        line = NUMBER.sub(r"\g<1>1", line)
        line = re.sub(rf"((?:--account[= ]|-A ?)\w*){MARK}", rf"\g<1>{cluster.policy.sample_account or 'name'}", line)
    return line.replace(MARK, "name")
