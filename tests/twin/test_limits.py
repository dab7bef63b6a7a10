"""Twin and engine accept a job at every limit, and refuse one a step past it, for that very reason and on its line."""

import re
from collections.abc import Iterator

import pytest

from scripts.check.findings import FIELDS, by_scheduler
from scripts.check.report import Report
from scripts.check.scheduler import Answer
from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.twin import twin_of
from scripts.twin.slurm.conf import partition_words
from tests.clusters import CLUSTERS
from tests.engine.agreement import compare
from tests.run import until
from tests.twin import kept
from tests.twin.every_pair import pairs
from tests.twin.many import ask_many
from tests.twin.pairs import Pair, job, lines, script

# Pairs that another option may be told for: the two are at fault together, or the partition is, which wants what the
# job does not ask for.
JOINT = ("threads_per_core", "allocation_accounts", ".counts", ".gpu_required", ".min_gpus", ".min_nodes", "if longer")

TIME = re.compile(r"time-|no-|scheduler")


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS)
def test_every_limit_is_kept_and_told(cluster):
    found = pairs(cluster)
    jobs = [options for pair in found for options in (pair.at, pair.past)]
    compared = compare(kept.twin(cluster), [script(cluster, options) for options in jobs])
    assert not compared.differences, "\n\n".join(compared.differences)
    at, past = compared.answers[::2], compared.answers[1::2]
    wrong = [fault for each in zip(found, at, past, strict=True) for fault in not_kept(*each)]
    wrong += [*not_told(cluster, found, past), *told_besides(cluster, found)]
    assert found and not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    "key, of, word, threads",
    [("lumi", "core", "DefMemPerCPU", 2), ("lumi", "node", "DefMemPerNode", 1), ("mahti", "gpu", "DefMemPerGPU", 1)],
)
def test_slurm_gives_the_default_memory_of_the_facts(key, of, word, threads):
    """Which on most systems another limit hides. Slurm's CPU is a thread."""
    named = [p for p in CLUSTERS[key].partitions.values() if getattr(p, f"default_memory_per_{of}")]
    found = {threads * partition_words(CLUSTERS[key], p)[word] for p in named}
    assert found and found == {getattr(p, f"default_memory_per_{of}").mib for p in named}


def not_kept(pair: Pair, at: Answer, past: Answer) -> Iterator[str]:
    """By the twin: a job at a limit that is refused; one past it that is accepted, or refused for another reason."""
    assert pair.reason.strip(), f"{pair.limit}: the empty reason is in every refusal"
    if not at.accepted:
        yield f"{pair.limit}: a job at the limit is refused: {pair.at}: {at.said}"
    if past.accepted:
        yield f"{pair.limit}: a job past the limit is accepted: {pair.past}"
    elif pair.reason not in past.said:
        yield f"{pair.limit}: refused for another reason than `{pair.reason}`: {past.said}"


def not_told(cluster: Cluster, found: list[Pair], answers: list[Answer]) -> Iterator[str]:
    """By the check: jobs past a limit of which no finding names a line on which the two jobs differ.

    The limit is one of the facts', but for rules of an operator, and Grid Engine's: there the twin's words say it.
    """
    words = cluster.scheduler.kind == "grid_engine"
    decided = ask("decide", [cluster], [[cluster.key, script(cluster, pair.past), "my.sh"] for pair in found])
    for pair, answer, each in zip(found, answers, decided, strict=True):
        own = [Report("my.sh", **{name: one.get(name) for name in FIELDS}) for one in each["findings"]]
        reports = by_scheduler(cluster, own, each["verdict"], answer, "my.sh")
        differ = {name for name in pair.past.keys() | pair.at.keys() if pair.past.get(name) != pair.at.get(name)}
        there = [2 + number for number, name in enumerate(lines(cluster, pair.past)) if name in differ]
        kinds = ("not judged",) if pair.limit.endswith(".features") and not words else ("refused", "doubtful")
        told = [report for report in reports if report.kind in kinds]
        misplaced = {report.line for report in told} - set(there) if there and not pair.limit.endswith(JOINT) else ()
        explained = words or pair.limit.startswith(("gpus.", "policy.")) or kinds == ("not judged",)
        unexplained = not explained and any(report.rule == "scheduler" and not report.option for report in told)
        if not told or misplaced or unexplained:
            yield f"{pair.limit}, past it {pair.past}: {[*map(str, told)]}"


def told_besides(cluster: Cluster, found: list[Pair]) -> Iterator[str]:
    """A job at a limit that has another fault, its time: nothing but that may be told to be past a limit."""
    name, value = ("time", "9999-0") if cluster.scheduler.kind == "slurm" else ("h_rt", "99999:0:0")
    late = [script(cluster, pair.at | {name: value}) for pair in found]
    decided = ask("decide", [cluster], [[cluster.key, text, "my.sh"] for text in late])
    for pair, answer in zip(found, decided, strict=True):
        other = [each["what"] for each in answer["findings"] if each.get("limit") and not TIME.match(each["rule"])]
        if other:
            yield f"{pair.limit}: told of a job at the limit whose time is too long, {pair.at}: {other}"


@pytest.mark.parametrize("key", ["trillium", "narval"])
def test_jobs_that_wait_or_run_count(short, tmp_path, key):
    """As many jobs as one may have wait or run; one more is refused, and accepted when they are gone."""
    cluster = CLUSTERS[key]
    kept.need_scheduler("slurm")
    twin = twin_of(cluster, short)
    name, most = next(
        ((name, p.max_jobs) for name, p in cluster.partitions.items() if p.max_jobs),
        (next(iter(cluster.partitions)), cluster.policy.max_queued_jobs),
    )
    wanted = job(cluster, name)
    (tmp_path / "job.sh").write_text(script(cluster, wanted), encoding="utf-8")

    def one_more() -> Answer:
        return ask_many(twin, [script(cluster, wanted)])[0]

    try:
        options = [line.removeprefix("#SBATCH ") for line in lines(cluster, wanted).values()]
        assert twin.run_to_end(tmp_path / "job.sh", tmp_path).returncode == 0
        twin.run(["sbatch", *options, "--wrap=sleep 600"], cwd=tmp_path, capture_output=True, check=True)
        assert until(lambda: twin.run(["squeue", "--states=R", "--noheader"], capture_output=True).stdout)
        assert twin.verdict(["sbatch", "--hold", f"--array=2-{most}", *options, "--wrap=true"]).returncode == 0
        # slurmctld shows its jobs to the plugin some seconds late
        assert until(lambda: "Job violates accounting/QOS policy" in one_more().said)
        assert twin.verdict(["scancel", "--me"]).returncode == 0
        assert until(lambda: one_more().accepted)
    finally:
        twin.stop()
