"""What each scheduler calls things, so that no other room asks which one it talks to: `cluster.scheduler.words`."""

import re
from dataclasses import dataclass


@dataclass(frozen=True)
class Words:
    """prefix: of a directive. submit: the command. account, partition, feature: the options; a value follows.

    reads_all: directives below the first command count, too.
    needs_shell: the first line must name one. looks_like: a line that is a directive, or was meant to be one.
    reframe: what ReFrame calls it.
    """

    name: str
    prefix: str
    submit: str
    account: str
    partition: str
    feature: str
    reads_all: bool
    needs_shell: bool
    looks_like: re.Pattern[bytes]
    reframe: str


WORDS = {
    "slurm": Words(
        name="Slurm",
        prefix="#SBATCH",
        submit="sbatch",
        account="--account=",
        partition="--partition=",
        feature="--constraint",
        reads_all=False,
        needs_shell=True,
        looks_like=re.compile(rb"^[ \t]*#+[ \t]*s[a-z]*t[a-z]*ch\b", re.IGNORECASE | re.MULTILINE),
        reframe="slurm",
    ),
    "grid_engine": Words(
        name="Grid Engine",
        prefix="#$",
        submit="qsub",
        account="-P ",
        partition="-q ",
        feature="-l node_type=",
        reads_all=True,
        needs_shell=False,
        looks_like=re.compile(rb"^[ \t]*#[ \t]*\$[ \t]*-", re.MULTILINE),
        reframe="sge",
    ),
}
