"""Ask the twins and the engine about many more scripts than the tests do: python -m tests.engine.agree.

On every system: scripts near its limits. On made-up systems, so small that every limit is near, and on systems drawn
anew: those, jobs at and past each limit, which nodes are chosen, the words and values of odd.yml. Then each job script
of the guide goes to each other system, and the form writes thousands. Prints what the twins say otherwise, and ends
with 1 if there is anything, or if too many scripts are not judged. Put a difference into kept.json: it
is asked by day from then on.
"""

import argparse
import os
import random
import secrets
import sys
from collections.abc import Callable, Iterable, Sequence

from scripts.errors import run
from scripts.facts import Cluster, load_all
from tests.engine import generator, grid_engine_cases
from tests.engine.agreement import Compared, compare, kept
from tests.engine.moves import faults_of_moves
from tests.engine.odd import odd_cases
from tests.engine.small import ODD, small_systems
from tests.engine.small.drawn import drawn_system
from tests.engine.written import faults_of_forms
from tests.twin import kept as twins
from tests.twin.pairs import script
from tests.twin.pairs_of_limits import limit_pairs
from tests.twin.pairs_of_nodes import gpu_pairs
from tests.twin.pairs_of_rules import rule_pairs


def drawn(cluster: Cluster, number: int, seed: str) -> list[str]:
    """So many scripts near the limits of a system."""
    if cluster.scheduler.kind == "grid_engine":
        return grid_engine_cases.cases(number, seed)
    return generator.cases(cluster, number, seed)


def made_up(system: Cluster, number: int, seed: str) -> list[str]:
    """So many scripts for a made-up system, of each kind that is drawn the same share."""
    every = [*limit_pairs(system), *rule_pairs(system), *gpu_pairs(system)]
    limits = [script(system, options) for pair in every for options in (pair.at, pair.past)]
    draws = (limits, generator.cases(system, number, seed))
    if system.key == ODD:
        draws = (*draws, odd_cases())
    choose = random.Random(f"{seed} {system.key}")
    return [script for scripts in draws for script in choose.sample(scripts, min(len(scripts), number // len(draws)))]


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=12_000, help="scripts, over all systems that are not made up")
    parser.add_argument("--made-up", type=int, default=1_000, help="scripts of each made-up system")
    parser.add_argument("--drawn", type=int, default=20, help="systems drawn anew")
    parser.add_argument("--moves", type=int, default=1_500, help="moves of scripts that are changed")
    parser.add_argument("--forms", type=int, default=10_000, help="scripts that the form writes")
    parser.add_argument("--seed", default=secrets.token_hex(8), help="to ask the same again")
    given = parser.parse_args(words)
    print(f"seed {given.seed}")
    if twins.ROOM in os.environ:
        return 1 if differ(given) else 0
    twins.make_room()
    try:
        return 1 if differ(given) else 0
    finally:
        twins.clear()


def differ(given: argparse.Namespace) -> int:
    """Ask, and print what differs. Returns how many do."""
    clusters = load_all()
    each = -(-given.cases // len(clusters))
    wrong = report("systems", asked(clusters.values(), lambda one: [*kept(one.key), *drawn(one, each, given.seed)]))
    small = small_systems().values()
    wrong += report("made-up systems", asked(small, lambda one: made_up(one, given.made_up, given.seed)), 3)
    numbers = random.Random(given.seed).sample(range(10**6), given.drawn)
    new = map(drawn_system, numbers)
    wrong += report(f"systems {numbers}", asked(new, lambda one: made_up(one, 100, given.seed)), 3)
    wrong += report_faults("moves", faults_of_moves(clusters, given.moves, given.seed))
    wrong += report_faults("forms", faults_of_forms(clusters, given.forms, given.seed))
    return wrong


def asked(clusters: Iterable[Cluster], scripts: Callable[[Cluster], list[str]]) -> list[Compared]:
    found = []
    for cluster in clusters:
        twin = twins.twin(cluster)
        try:
            found.append(compare(twin, scripts(cluster)))
        finally:
            twin.stop()
    return found


def report(what: str, compared: list[Compared], most: int = 1) -> int:
    """How many differ, and those not judged where they are more than `most` of a hundred."""
    scripts = sum(len(each.scripts) for each in compared)
    differ = [text for each in compared for text in each.differences]
    open_ones = [script for each in compared for script in each.not_judged]
    print(*differ, sep="\n\n")
    print(
        f"{what}: {scripts} scripts, {sum(each.accepted for each in compared)} accepted by the twins: "
        f"{len(differ)} differ, {len(open_ones)} not judged."
    )
    if len(open_ones) > most * scripts // 100:
        print("Some of those not judged:", *open_ones[:5], sep="\n")
        return len(differ) + 1
    return len(differ)


def report_faults(what: str, counted: tuple[int, list[str]]) -> int:
    number, faults = counted
    print(*faults, sep="\n\n")
    print(f"{what}: {number}, {len(faults)} faults.")
    return len(faults)


if __name__ == "__main__":
    sys.exit(run(main, status=2))
