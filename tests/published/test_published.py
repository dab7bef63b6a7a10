"""Published job scripts: the records are sound, and get the verdicts on record today; users', by day a part of them."""

import re
from collections import Counter

import pytest

from scripts.engine.ask import ask
from scripts.published.record import Printed, Used, load_guides, load_published
from scripts.tables.published import guides, published
from tests.check.many import check_many
from tests.clusters import CLUSTERS
from tests.tiers import by_day
from tests.twin import kept as twins

USED = [script for place in load_published().values() for script in place.scripts]
PRINTED = [script for guide in load_guides().values() for script in guide.scripts]
EACH = 9  # one of so many is judged by day


@pytest.mark.parametrize("each", by_day([EACH, 1], {EACH}))
@pytest.mark.parametrize("key", sorted({script.cluster for script in USED[::EACH]}))
def test_a_twins_verdict_on_record_is_todays(key, each):
    cluster = CLUSTERS[key]
    twins.need_scheduler(cluster.scheduler.kind)
    scripts = [script for script in USED[::each] if script.cluster == key]
    texts = [(script.drawn.script(cluster.scheduler.kind).encode(), script.path) for script in scripts]
    changed = []
    for script, reports in zip(scripts, check_many(cluster, texts), strict=True):
        # Many a published account is a sample; whose it is, decides nothing here.
        found = [(report.kind, report.what) for report in reports if not report.rule.startswith("account-")]
        kinds = {kind for kind, _ in found}
        verdict = next((kind for kind in ("refused", "not judged") if kind in kinds), "accepted")
        if verdict != script.verdict:
            changed.append(f"{script.path}: {verdict}, no longer {script.verdict}: {found}")
    assert changed == []


@pytest.fixture(scope="module")
def answers() -> dict[tuple[str, str], dict]:
    """(sha256, cluster) -> what the engine says today of a guide's script."""
    named = [(script, CLUSTERS[key]) for script in PRINTED for key in script.verdicts]
    asked = [[c.key, script.drawn(c).script(c.scheduler.kind), script.sha256] for script, c in named]
    found = ask("found", [cluster for _, cluster in named], asked)
    return {(answer["file"], cluster.key): answer for (_, cluster), answer in zip(named, found, strict=True)}


@pytest.mark.nightly
def test_the_engines_verdicts_on_record_are_todays(answers):
    changed = [
        f"{script.path} {script.lines}: {key} says {answer['verdict']}, no longer {verdict}: {answer['findings']}"
        for script in PRINTED
        for key, verdict in script.verdicts.items()
        if (answer := answers[script.sha256, key])["verdict"] != verdict
        or any(finding["kind"] == "refused" for finding in answer["findings"]) != (verdict == "refused")
    ]
    assert changed == []


def test_99_of_100_are_judged():
    assert sum(script.verdict == "not judged" for script in PRINTED) <= len(PRINTED) / 100


@pytest.mark.parametrize("scripts, least", [(USED, 150), (PRINTED, 800)])
def test_there_are_enough_none_counts_twice_and_nobodys_address_is_kept(scripts, least):
    assert len(scripts) >= least and len({script.sha256 for script in scripts}) == len(scripts)
    told = [word for script in scripts for word in (*script.options, *getattr(script, "commands", ()))]
    assert {found for word in told for found in re.findall(r"[\w.+-]+@[\w-]+\.\w+", word)} <= {"someone@example.org"}


def test_each_is_for_a_system_of_the_guide():
    assert {key for script in PRINTED for key in script.verdicts} == set(CLUSTERS)
    assert {script.cluster for script in USED} <= set(CLUSTERS)


@pytest.mark.parametrize("table, scripts, first", [(published(CLUSTERS), USED, 2), (guides(), PRINTED, 3)])
def test_the_table_counts_every_script(table, scripts, first):
    rows = [line.split("|") for line in table.splitlines() if re.match(r"\| (?!System|Operator|---)", line)]
    assert sum(int(row[first]) for row in rows) == len(scripts)
    assert sum(int(row[first + 1]) for row in rows) == sum(script.verdict == "accepted" for script in scripts)
    reasons = Counter(script.why for script in scripts if script.why)
    assert {name: int(number) for name, number in re.findall(r"- \*(\w+)\* \((\d+)\)", table)} == reasons


@pytest.mark.parametrize("model", [Used, Printed])
@pytest.mark.parametrize("verdict, why", [("refused", None), ("accepted", "outdated")])
def test_a_refusal_has_its_reason_and_nothing_else_has(model, verdict, why):
    given = {"path": "a", "sha256": "0" * 64, "options": ["-N 1"], "why": why, "because": why and "it is"}
    users = {"cluster": "roihu", "known_by": "named in it", "commands": [], "verdict": verdict}
    with pytest.raises(ValueError, match="because"):
        model.model_validate(given | (users if model is Used else {"verdicts": {"roihu": verdict}}))
