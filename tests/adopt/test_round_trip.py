"""From our facts to a twin's slurm.conf, from what scontrol then prints to new facts: the engine decides the same.

What no scheduler shows is listed in invisible.py, by the keys of the facts.
"""

import pytest

from scripts.facts import load_all
from scripts.facts.limits import limits, rows
from tests.adopt.captures import adopted, of_twin, verdicts
from tests.adopt.invisible import visible
from tests.compare.asked import CLUSTERS
from tests.engine import generator
from tests.engine.agreement import compare
from tests.tiers import by_day
from tests.twin import kept

BY_DAY = ("kestrel", "mahti")
NUMBER = {True: 150, False: 660}  # 10,000 over all systems at night


def drawn(key: str, number: int) -> list[str]:
    """Scripts near the limits of the whole facts, and of those that a scheduler shows."""
    cluster = CLUSTERS[key]
    half = generator.cases(cluster, number // 2, "adopt")
    return half + generator.cases(visible(cluster), number - number // 2, "adopt again")


@pytest.mark.parametrize("key", by_day(list(CLUSTERS), set(BY_DAY)))
def test_the_engine_decides_the_same_with_the_same_reasons(key, tmp_path):
    scripts = drawn(key, NUMBER[key in BY_DAY])
    before, after = verdicts(visible(CLUSTERS[key]), scripts), verdicts(of_twin(tmp_path, key), scripts)
    differ = [each for each in zip(scripts, before, after, strict=True) if each[1] != each[2]]
    assert differ == []
    assert len({each["verdict"] for each in after}) > 1, "of cases that all end alike, nobody learns anything"


@pytest.mark.parametrize("key", BY_DAY)
def test_each_limit_of_a_partition_that_slurm_shows_is_read_and_no_other(key, tmp_path):
    """A new row of limits.yml with a word of slurm.conf must be read by `guide adopt`; no other row can be."""
    old, new = CLUSTERS[key], of_twin(tmp_path, key)
    shown = {name for name, row in rows("partitions").items() if row.slurm_conf}
    there, read = (
        {(name, limit, n) for name, p in each.partitions.items() for limit, _, n in limits("partitions", p)}
        for each in (old, new)
    )
    assert {each for each in there if each[1] in shown and each[1:] != ("min_nodes", 1)} == read  # every job has one
    assert not [limit for gpu in new.gpus.values() for limit in limits("gpus", gpu)]
    assert not list(limits("policy", new.policy))


def test_grid_engine_says_its_hosts_its_gpus_and_its_queue(tmp_path):
    arc4 = load_all()["arc4"]
    hosts, queue = (
        kept.twin(arc4).run(words, capture_output=True, encoding="utf-8").stdout
        for words in (["qhost", "-F", "-q"], ["qconf", "-sq", *arc4.partitions])
    )
    new = adopted(tmp_path, "arc4", hosts, queue)
    assert new.scheduler.kind == "grid_engine" and new.gpu_total == arc4.gpu_total == 12
    (gpu,), (name,) = new.gpus.values(), new.partitions
    assert (gpu.request, gpu.gres, gpu.model) == ("-l coproc_v100=1", "coproc_v100", "NVIDIA V100")
    assert new.partitions[name].max_time == arc4.partitions[name].max_time == "2-00:00:00"
    same = [
        sorted((node.cores, node.memory.mib, *node.features) for node in each.node_types.values() if not node.gpus)
        for each in (arc4, new)
    ]
    assert same[0] == same[1] and "localhost" not in str(new)


@pytest.mark.nightly
@pytest.mark.parametrize("key", CLUSTERS)
def test_a_twin_of_the_new_facts_decides_as_the_engine(key, tmp_path):
    new = of_twin(tmp_path, key).model_copy(update={"key": f"{key}adopted"})
    twin = kept.twin(new)
    try:
        compared = compare(twin, drawn(key, 600))
    finally:
        twin.stop()
    assert not compared.differences, "\n\n".join(compared.differences)
    assert 0 < compared.accepted < len(compared.scripts)
