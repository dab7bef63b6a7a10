"""Each twin accepts a job at every limit, and refuses one a step past it, for that very reason."""

import subprocess

import pytest

from scripts.facts import load_all
from scripts.facts.model import Partition
from scripts.paths import DOCS
from scripts.twin.daemon import Twin
from tests.snippets.sandbox import ROOT
from tests.twin import kept
from tests.twin.every_pair import pairs
from tests.twin.pairs import NO_LIMITS, NOT_TRIED, Options

CLUSTERS = load_all()


def option(name: str, value: str | int | None) -> str:
    return f"--{name}" if value is None else f"--{name}={value}"


def submit(twin: Twin, options: Options) -> subprocess.CompletedProcess[str]:
    if twin.cluster.scheduler.kind == "slurm":
        command = ["sbatch", "--test-only", *(option(name, value) for name, value in options.items()), "--wrap=true"]
    else:
        named = [
            ["-pe", "smp", str(value)] if name == "pe smp" else ["-l", f"{name}={value}"]
            for name, value in options.items()
        ]
        command = ["qsub", "-w", "v", *(word for words in named for word in words), "-b", "y", "true"]
    return subprocess.run(command, env=twin.environment, capture_output=True, encoding="utf-8")


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_every_limit_is_kept_and_none_is_invented(cluster, record_property):
    twin = kept.twin(cluster)
    wrong = []
    found = pairs(cluster)
    with twin.in_use():
        for pair in found:
            at, past = submit(twin, pair.at), submit(twin, pair.past)
            if at.returncode:
                wrong.append(f"{pair.limit}: a job at the limit is refused: {pair.at}: {at.stderr}")
            if past.returncode == 0:
                wrong.append(f"{pair.limit}: a job past the limit is accepted: {pair.past}")
            elif pair.reason not in past.stderr:
                wrong.append(f"{pair.limit}: refused for another reason than `{pair.reason}`: {past.stderr}")
    record_property("pairs", len(found))
    assert wrong == []
    assert found


def test_the_limits_tried_are_many():
    assert sum(len(pairs(cluster)) for cluster in CLUSTERS.values()) > 300


def test_every_pair_has_a_reason():
    """The empty reason is in every refusal, so it would prove nothing."""
    assert [
        f"{key}: {pair.limit}"
        for key, cluster in CLUSTERS.items()
        for pair in pairs(cluster)
        if not pair.reason.strip()
    ] == []


def test_the_page_says_what_is_not_tried():
    """docs/about/how-checked.md claims neither more nor less than the pairs prove."""
    tried = {pair.limit.rpartition(".")[2] for cluster in CLUSTERS.values() for pair in pairs(cluster)}
    assert set(Partition.model_fields) - NO_LIMITS - tried == set(NOT_TRIED)
    page = " ".join((DOCS / "about/how-checked.md").read_text(encoding="utf-8").split())
    assert [words for words in NOT_TRIED.values() if words not in page] == []


@pytest.mark.parametrize("key", ["puhti", "arc4"])
def test_the_text_that_the_copy_button_gives_is_accepted(tmp_path, key):
    """The tests of the site compare it with the file: all of it but the last line's end."""
    copied = tmp_path / "copied.sh"
    copied.write_text(
        (ROOT / "snippets" / key / "one_gpu.sh").read_text(encoding="utf-8").rstrip("\n"), encoding="utf-8"
    )
    assert kept.twin(CLUSTERS[key]).judge(copied).returncode == 0
