"""Run a scheduler command as on a cluster's login node, on a simulated scheduler on this machine.

    guide twin puhti sbatch --test-only job.sh
    guide twin lumi sinfo
    guide twin lumi --accounts sacctmgr show qos

The scheduler starts automatically and keeps running for later commands. If the facts change, the next command uses
the new ones. Only you can use the scheduler. It ends half an hour after its last command or job. Output and exit
status are those of the command.
"""

import argparse
import contextlib
import shutil
import sys

from scripts.errors import BadInput, parser_of, run
from scripts.facts import load_named
from scripts.twin import home, twin_of
from scripts.twin.daemon import IDLE_SECONDS
from scripts.twin.processes import stop_below


def main() -> int:
    parser = parser_of("guide twin", __doc__)
    parser.add_argument("--stop-all", action="store_true", help="stop all simulated schedulers of this checkout")
    parser.add_argument(
        "--accounts",
        action="store_true",
        help="also enforce accounts and their limits: Slurm with slurmdbd and MariaDB",
    )
    parser.add_argument("cluster", nargs="?", help="a system, such as puhti")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the scheduler's command and its arguments")
    arguments = parser.parse_args()
    if arguments.stop_all:
        return end()
    if arguments.command[:1] == ["--accounts"]:  # behind the system, too
        arguments.accounts = bool(arguments.command.pop(0))
    if not arguments.cluster or not arguments.command:
        parser.error("name a cluster and a command")
    twin = twin_of(load_named(arguments.cluster), accounts=arguments.accounts)
    with twin.in_use() as started:
        if started:
            minutes = IDLE_SECONDS // 60
            said = f"has started. It ends {minutes} minutes after its last command or job."
            print(f"{twin.cluster.name}'s simulated scheduler {said}", file=sys.stderr)
        if not shutil.which(arguments.command[0], path=twin.environment["PATH"]):
            cure = "Use a scheduler command: sbatch, sinfo, squeue, scontrol, sacct, or qsub, qstat, qhost, qconf."
            raise BadInput("twin", None, f"there is no command `{arguments.command[0]}`.", cure)
        status = twin.run(arguments.command).returncode
        return status if status >= 0 else 128 - status  # a signal, as the shell tells it


def end() -> int:
    """Stop all twins of this checkout. The facts are not read: they may be broken, or gone."""
    base = home.base()
    if base.exists() or base.is_symlink():
        home.private(base)
    for folder in sorted({home.home(), *base.glob(f"{home.checkout()}*")}):
        for name in stop_below(folder):
            print(f"stopped the twin of {name}")
        shutil.rmtree(folder, ignore_errors=True)
    with contextlib.suppress(OSError):  # another checkout's twins are there
        base.rmdir()
    return 0


if __name__ == "__main__":
    run(main)
