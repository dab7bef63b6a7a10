"""A page that nobody has read for over a year is told to those who keep the facts; tests/site tells of readers."""

import re

from scripts.facts import load_all
from scripts.facts.age import aged
from scripts.facts.load import read_file
from scripts.facts.units import Date
from scripts.paths import SNIPPETS

CLUSTER, LINES = read_file(SNIPPETS / "kestrel/cluster.yml")
READ = sorted({source.read for sources in CLUSTER.sources.values() for source in sources})


def told(day: str) -> list[str]:
    return aged(CLUSTER, LINES, SNIPPETS / "kestrel/cluster.yml", Date(day))


def in_a_year(day: str, days: int) -> str:
    return f"{int(day[:4]) + 1}{day[4:8]}{int(day[8:]) + days:02}"


def test_a_source_grows_old_the_day_after_a_year():
    assert told(in_a_year(READ[0], 0)) == []
    assert (
        told(in_a_year(READ[0], 1))
        and f"was last read on {READ[0]}, over a year ago." in told(in_a_year(READ[0], 1))[0]
    )
    urls = {source.url for sources in CLUSTER.sources.values() for source in sources}
    assert len(told("2040-01-01")) == len(urls), "each page once"
    assert all(re.search(r"cluster.yml:\d+: https", sentence) for sentence in told("2040-01-01")), "with its line"


def test_a_system_that_ended_grows_no_older():
    for key, cluster in load_all().items():
        if not cluster.running:
            assert aged(*read_file(SNIPPETS / key / "cluster.yml"), SNIPPETS, Date("2040-01-01")) == []
