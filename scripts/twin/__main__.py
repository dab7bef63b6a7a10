"""Run a scheduler command as on a cluster's login node, against that cluster's twin on this machine.

    python -m scripts.twin puhti sbatch --test-only job.sh
    python -m scripts.twin lumi sinfo

The twin starts by itself and stays for later commands; a changed facts file is used from the next command on.
Output and exit status are the command's own. `--stop` ends one twin, `--stop-all` ends all of this checkout.
"""

from __future__ import annotations

import argparse

from scripts.errors import BadInput, run
from scripts.facts import SNIPPETS, load_all
from scripts.twin import twin_of
from scripts.twin.daemon import home


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.twin", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--stop", metavar="CLUSTER", help="stop this cluster's twin")
    parser.add_argument("--stop-all", action="store_true", help="stop every twin of this checkout")
    parser.add_argument("cluster", nargs="?", help="a folder of snippets/, such as puhti")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="the scheduler's command and its arguments")
    arguments = parser.parse_args()
    clusters = load_all()
    if arguments.stop_all or arguments.stop:
        keys = [path.name for path in home().glob("*/")] if arguments.stop_all else [arguments.stop]
        for key in keys:
            if key in clusters and twin_of(clusters[key]).stop():
                print(f"stopped the twin of {clusters[key].name}")
        return 0
    if not arguments.cluster or not arguments.command:
        parser.error("say a cluster and a command")
    if arguments.cluster not in clusters:
        raise BadInput(SNIPPETS.name, None, f"there is no cluster `{arguments.cluster}`.", f"Known: {', '.join(clusters)}.")
    try:
        return twin_of(clusters[arguments.cluster]).run(arguments.command).returncode
    except FileNotFoundError:
        raise BadInput(arguments.command[0], None, "there is no such command here.", "Use one of the scheduler's: sbatch, sinfo, squeue, scontrol; or qsub, qstat, qhost, qconf.") from None


if __name__ == "__main__":
    run(main)
