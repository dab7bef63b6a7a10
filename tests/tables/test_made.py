"""What is made of the facts: up to date, whole, and only what a change touches is written anew."""

import pytest

from scripts.facts import load_all
from scripts.facts.units import Walltime
from scripts.stamps import Stamped
from scripts.tables import made

CLUSTERS = load_all()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(made, "TABLES", tmp_path)
    made.write(made.tables(CLUSTERS))
    return tmp_path


def test_everything_made_agrees_with_what_it_is_made_of():
    made.refuse_stale()


def test_one_changed_limit_reaches_its_tables_and_no_other(folder):
    puhti = CLUSTERS["puhti"]
    gpu = puhti.partitions["gpu"].model_copy(update={"max_time": Walltime("5-00:00:00")})
    changed = CLUSTERS | {"puhti": puhti.model_copy(update={"partitions": puhti.partitions | {"gpu": gpu}})}
    names = ("compare.md", "puhti/partitions.md", "puhti/way-over-lost.md", "puhti/way-over.md")
    reached = [folder / name for name in names]
    assert made.stale(made.tables(changed)) == reached
    assert made.write(made.tables(changed)) == reached
    assert "5 days" in (folder / "puhti/partitions.md").read_text(encoding="utf-8")


def test_a_table_of_a_cluster_that_is_gone_is_stale(folder):
    rest = {key: cluster for key, cluster in CLUSTERS.items() if key != "puhti"}
    assert folder / "puhti/gpus.md" in made.stale(made.tables(rest))
    made.write(made.tables(rest))
    assert not (folder / "puhti").exists()


def test_a_stamp_tells_older_than_its_source_from_changed_by_hand(tmp_path, monkeypatch):
    monkeypatch.setattr("scripts.stamps.STAMPS", tmp_path / "stamps.json")
    source, file = tmp_path / "source.py", tmp_path / "plot.svg"
    source.write_text("1", encoding="utf-8")
    file.write_text("a", encoding="utf-8")
    thing = Stamped("plot", [file], [source], "make plot")
    assert "before source.py changed" in str(thing.fault())
    thing.stamp()
    assert thing.fault() is None
    file.write_text("b", encoding="utf-8")
    assert "by hand" in str(thing.fault()) and "make plot" in str(thing.fault())
    source.write_text("2", encoding="utf-8")
    assert "before source.py changed" in str(thing.fault())
    thing.stamp()
    file.unlink()
    assert "missing" in str(thing.fault())
