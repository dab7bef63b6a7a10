"""The engine and the scheduler are of one mind.

The cases are the same in every run; `python -m tests.engine.agree` asks about many more, at another seed each night.
What another version than Slurm 22.05 decides otherwise is in versions.py.
"""

import pytest

from tests.clusters import CLUSTERS
from tests.engine.agree import drawn, made_up, main
from tests.engine.agreement import compare, kept
from tests.engine.generator import WRONG
from tests.engine.small import small_systems
from tests.tiers import by_day
from tests.twin import kept as twins

SMALL = small_systems()
SEED = "by day"
CASES = 45  # of each system
# Of ARC4, what the two once differed on: of two, which counts; a range in whole nodes; what is written over.
ONCE = ["-pe smp|-pe ib 14", "-pe whole 1-40", "-pe whole 41-79", "-N 1a|-N b", "-N a/b|-N c", r"-N a\b", "-j y -j x"]
ONCE += ["-pe openmp 40|-l np=80", "-pe ib 0|-l nodes=2", "-pe ib 400", "-l h_vmem=|-l coproc_v100=4"]
# At its limits: GPUs, their cores, memory in powers of ten, tasks.
ONCE += ["-l coproc_v100=4", "-l coproc_v100=1|-pe smp 8-12", "-l h_vmem=204000000k", "-t 1-75001", "-t 2-75001"]
ONCE = ["#!/bin/bash\n#$ -l h_rt=1:0:0\n#$ " + words.replace("|", "\n#$ ") + "\nhostname\n" for words in ONCE]


@pytest.mark.parametrize("key", CLUSTERS)
def test_the_engine_decides_as_the_scheduler(key):
    cluster = CLUSTERS[key]
    once, cases = (ONCE, CASES // 3) if key == "arc4" else (kept(key), CASES)  # Grid Engine takes its time
    compared = compare(twins.twin(cluster), [*once, *drawn(cluster, cases, SEED)])
    assert not compared.differences, "\n\n".join(compared.differences)
    assert len(compared.not_judged) <= max(3, 0.02 * CASES), compared.not_judged
    assert 0 < compared.accepted < len(compared.scripts), "of cases that all end alike, nobody learns anything"


def test_the_engine_decides_on_every_odd_value_as_the_scheduler():
    """Of which the drawn cases have a few: each once, on a system that asks for little."""
    head = "#!/bin/bash\n#SBATCH --account=def-myself --time=10\n#SBATCH "
    mixed = {"mail-type": ("END,foo", "foo,end", "foo,,bar"), "signal": ("B:USR1@x", "FOO@9", "B:@9")}
    odd = [f"{head}--{name}={value}\nsrun ./a\n" for of in (WRONG, mixed) for name in of for value in of[name]]
    compared = compare(twins.twin(CLUSTERS["graham"]), odd)
    assert not compared.differences, "\n\n".join(compared.differences)


@pytest.mark.parametrize("key", by_day(SMALL, {"ignored", "paired", "sent", "small", "drawn-9079"}))
def test_the_engine_chooses_nodes_as_slurm_does(key):
    """On made-up systems, so small that every limit is near."""
    compared = compare(twins.twin(SMALL[key]), made_up(SMALL[key], CASES, SEED))
    assert not compared.differences, "\n\n".join(compared.differences)


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_the_large_run_finds_nothing():
    assert main([]) == 0
