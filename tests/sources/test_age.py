"""A page that nobody has read for over a year is told to those who keep the facts; tests/site tells of readers."""

import re

from scripts.facts import load_all
from scripts.facts.age import aged
from scripts.facts.units import Date
from tests.site.test_old_facts import READ, in_a_year

CLUSTER = load_all()["kestrel"]


def told(day: str) -> list[str]:
    return list(aged(["kestrel"], Date(day)))


def test_a_source_grows_old_the_day_after_a_year():
    assert told(in_a_year(READ[0], 0)) == []
    assert told(in_a_year(READ[0], 1))
    assert f"was last read on {READ[0]}, over a year ago." in told(in_a_year(READ[0], 1))[0]
    urls = {source.url for sources in CLUSTER.sources.values() for source in sources}
    assert len(told("2040-01-01")) == len(urls), "each page once"
    assert all(re.search(r"cluster.yml:\d+: https", sentence) for sentence in told("2040-01-01")), "with its line"


def test_a_system_that_ended_grows_no_older():
    ended = [key for key, cluster in load_all().items() if not cluster.running]
    assert ended and list(aged(ended, Date("2040-01-01"))) == []
