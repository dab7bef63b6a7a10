"""The state that was read is written into the facts, beside the address it belongs to, and nothing else changes."""

import re
import shutil
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.facts.load import load_cluster, read_file
from scripts.facts.units import Date
from scripts.paths import SNIPPETS
from scripts.sources.ask import Became, Found
from scripts.sources.cited import cited
from scripts.sources.write import write

DAY = Date("2026-12-24")
REVISION = re.compile(r"(,|\n) +revision: \"?(?P<revision>[\w:]+)\"?")


@pytest.fixture
def facts(tmp_path) -> Path:
    """Puhti's, as if nobody had ever written a revision."""
    (tmp_path / "puhti").mkdir()
    file = tmp_path / "puhti/cluster.yml"
    file.write_text(REVISION.sub("", (SNIPPETS / "puhti/cluster.yml").read_text(encoding="utf-8")), encoding="utf-8")
    return file


def sources(file) -> list:
    return cited({"puhti": read_file(file)[0]})


def test_revisions_are_written_where_there_were_none_and_the_rest_stays(facts, tmp_path):
    before, were = facts.read_text(encoding="utf-8"), sources(facts)
    found = [Found(each, Became.UNKNOWN, f"git:{number:07}") for number, each in enumerate(were)]
    assert write(found, DAY, tmp_path) == [facts]
    after = facts.read_text(encoding="utf-8")
    assert REVISION.sub("", after) == before
    now = {each.url: each for each in sources(facts)}
    assert {each.source.url: each.now for each in found} == {url: each.revision for url, each in now.items()}
    assert {each.url: each.read for each in were} == {url: each.read for url, each in now.items()}, "not read anew"
    assert write([], DAY, tmp_path) == []


def test_of_what_had_moved_the_day_is_written_too(facts, tmp_path):
    url = "https://docs.csc.fi/computing/hpc-billing/"
    (one,) = [each for each in sources(facts) if each.url == url]
    assert write([Found(one, Became.MOVED, "git:aaaaaaa")], DAY, tmp_path) == [facts]
    (two,) = [each for each in sources(facts) if each.url == url]
    assert (two.revision, two.read) == ("git:aaaaaaa", DAY)
    assert write([Found(two, Became.MOVED, "git:bbbbbbb")], DAY, tmp_path) == [facts]
    assert facts.read_text(encoding="utf-8").count("aaaaaaa") == 0
    assert load_cluster(facts).sources["billing"][0].revision == "git:bbbbbbb"


def test_every_system_that_cites_a_page_gets_its_revision(facts, tmp_path):
    shutil.copytree(facts.parent, tmp_path / "mahti")
    both = cited({key: read_file(tmp_path / key / "cluster.yml")[0] for key in ("puhti", "mahti")})
    found = [Found(each, Became.UNKNOWN, "git:1234567") for each in both]
    assert write(found, DAY, tmp_path) == [tmp_path / key / "cluster.yml" for key in ("mahti", "puhti")]
    assert len({path.read_text(encoding="utf-8") for path in tmp_path.glob("*/cluster.yml")}) == 1


def test_what_is_silent_gone_or_as_it_was_is_not_written(facts, tmp_path):
    for became in (Became.SAME, Became.SILENT, Became.GONE, Became.FIXED):
        assert write([Found(each, became, "git:aaaaaaa") for each in sources(facts)], DAY, tmp_path) == []


def test_a_file_that_would_be_spoilt_stays_as_it_was(facts, tmp_path):
    before = facts.read_bytes()
    with pytest.raises(BadInput, match="cannot be written"):
        write([Found(sources(facts)[0], Became.MOVED, "no revision")], DAY, tmp_path)
    assert facts.read_bytes() == before


@pytest.mark.parametrize("wrong", ["git:xyz", "git:", "abc", "sha256:12", "wiki:1", "GIT:0123456"])
def test_a_revision_has_one_of_two_forms(wrong, facts):
    text = facts.read_text(encoding="utf-8")
    facts.write_text(
        re.sub(r"\n( +)(read: [0-9-]+)", rf'\n\1\2\n\1revision: "{wrong}"', text, count=1), encoding="utf-8"
    )
    with pytest.raises(BadInput, match=r"cluster.yml:\d+: `sources"):
        read_file(facts)
