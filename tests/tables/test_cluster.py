"""The tables of one cluster say what its facts say, worked out here a second time."""

import re

import pytest

from scripts.facts.model import Rule
from scripts.facts.units import Date
from scripts.tables import cluster as of_one
from scripts.tables.cluster import UNCONFIRMED
from scripts.tables.compare import rows_of
from tests.clusters import CLUSTERS, RUNNING


def said(text: str) -> dict[str, str]:
    return dict(row for row in rows_of(text.replace(UNCONFIRMED, "")) if len(row) == 2)


@pytest.mark.parametrize("cluster", RUNNING.values(), ids=RUNNING)
def test_the_first_answers_are_the_longest_the_required_and_the_first_partitions(cluster):
    heads, row = rows_of(of_one.glance(cluster, CLUSTERS).replace(UNCONFIRMED, ""))
    told = dict(zip(heads, row, strict=True))
    parts = [p for p in cluster.partitions.values() if any(cluster.node_types[name].gpus for name in p.node_types)]
    times = {p.max_time.minutes: p.max_time.words for p in parts if p.max_time}
    assert told["Maximum GPU job time"] == (times[max(times)] if times else "not published")
    rules = {field: getattr(cluster.policy, field) for field in of_one.OPTIONS}
    required = [of_one.OPTIONS[field] for field, each in rules.items() if (each.gpu_jobs or each.rule) == Rule.REQUIRED]
    assert told["Required options"] == (", ".join(required) or "none")
    named, places = cluster.policy.partition.rule != Rule.LEAVE_OUT, told["GPU partitions"]
    sure = [
        key for key, p in cluster.partitions.items() if p in parts and f"partitions.{key}" not in cluster.unconfirmed
    ]
    more = re.search(r"plus (\d+) more", places)
    assert not named or places.count("`") // 2 + int(more[1] if more else 0) == len(sure)


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS)
def test_nodes_rules_prices_and_sources_say_what_holds(cluster):
    glance, nodes = said(of_one.at_a_glance(cluster, CLUSTERS)), cluster.node_types.values()
    lines = {kind: [*filter(None, glance.get(f"{kind} nodes", "").split("<br>"))] for kind in ("GPU", "CPU")}
    assert {kind: len(each) for kind, each in lines.items()} == {
        "GPU": sum(bool(node.gpus) for node in nodes),
        "CPU": sum(not node.gpus for node in nodes),
    }
    assert all(" × " in line for line in lines["GPU"]) and not any(" × " in line for line in lines["CPU"])
    every = "".join(map("".join, lines.values()))
    assert every.count("threads per core") == sum(node.threads_per_core > 1 for node in nodes)
    whole = {key: gpu for key, gpu in cluster.gpus.items() if not gpu.is_slice}
    sizes = {
        gpu.model: len({each.memory for each in whole.values() if each.model == gpu.model}) for gpu in whole.values()
    }
    for gpu in (whole[key] for node in nodes for key in node.gpus if key in whole):
        assert (f"{gpu.model}, {gpu.memory}" in every) == (sizes[gpu.model] > 1)
    rules = [told.partition(".")[0] for told in said(of_one.rules(cluster, CLUSTERS)).values()]
    held = [value for name, value in cluster.policy if isinstance(value, bool) and name != "login_shell_without_export"]
    assert (rules.count("yes"), rules.count("no")) == (held.count(True), held.count(False))
    assert ("#wheelhouse" in of_one.rules(cluster, CLUSTERS)) == (cluster.policy.conda is False)
    prices = of_one.costs(cluster, CLUSTERS)
    assert prices.count(", rounded up") == sum(price.whole_parts for price in cluster.billing.prices)
    for price in cluster.billing.prices:
        assert f"| {price.price:g} {price.unit.removesuffix('s') if price.price == 1 else price.unit}" in prices
    read = sorted(source.read for sources in cluster.sources.values() for source in sources)
    assert f"(#sources) on {'or after ' * (read[0] != read[-1])}{Date(read[0]).words}." in of_one.checked(cluster)
    head, *rows = rows_of(of_one.sources(cluster, CLUSTERS))
    assert [row[head.index("Retrieved")] for row in rows if row[-1] not in read] == []
    ended = cluster.status.ended
    exact = f"jobs {'on' if len(ended or '') == 10 else 'in'} " in of_one.status(cluster, CLUSTERS)
    assert exact or not ended
