"""The scheduler's verdict on a script, from the cluster's twin, in the scheduler's own words."""

import re
from dataclasses import dataclass

from scripts.facts import Cluster
from scripts.twin import twin_of

# What schedulers print around the reason.
AROUND = re.compile(
    r"^(sbatch: |srun: |error: |fatal: |allocation failure: |Unable to run job: |\S+: line \d+: "
    r"|Unable to read script file because of error: |Job \d+ (\(.*?\) )?)+|\.$"
)
EMPTY = {
    "",
    "Unspecified error",
    "Exiting",
    "verification: no suitable queues",
    'Try "sbatch --help" for more information',
}
# What Grid Engine prints once for each of its hosts or queues: the pattern, and the words for all of them.
OF_EACH_HOST = (
    (re.compile(r'(cannot run at host) ".*?"'), r"\1"),
    (re.compile(r'cannot run in queue ".*?" because of cluster queue'), "longer than the queue allows"),
    (re.compile(r'(cannot run in queue) ".*?"'), r"\1"),
)
MOST = 3  # reasons that are shown


@dataclass(frozen=True)
class Answer:
    """said: all that the scheduler printed."""

    accepted: bool
    said: str

    @property
    def words(self) -> str:
        """Its reasons, each once."""
        lines = dict.fromkeys(_reason(line) for line in self.said.splitlines())
        reasons = [line for line in lines if line not in EMPTY and "unknown resource (" not in line]
        return " / ".join(reasons[:MOST] or [self.said.strip()])


def answer_of(cluster: Cluster, script: bytes, name: str = "job.sh", accounts: bool = False) -> Answer:
    """What the cluster's twin answers to a script. Raises BadInput if there is no twin here, or none that answers."""
    if cluster.scheduler.words.needs_shell and not script.startswith(b"#!"):
        script = b"#!/bin/sh\n" + script  # the first line is the rules' business
    done = twin_of(cluster, accounts=accounts).ask(script, name)
    return Answer(done.returncode == 0, done.stderr)


def _reason(line: str) -> str:
    line = AROUND.sub("", line)
    for pattern, words in OF_EACH_HOST:
        line = pattern.sub(words, line)
    return line
