"""What is made of the facts: whole, and only what a change touches is written anew."""

import pytest

from scripts.facts.units import Walltime
from scripts.tables import made
from tests.clusters import CLUSTERS


@pytest.fixture
def folder(request, tmp_path, monkeypatch):
    request.getfixturevalue("made")
    for name, place in {"MADE": "made", "TABLES": "made/tables", "LOCK": "lock"}.items():
        monkeypatch.setattr(made, name, tmp_path / place)
    made.write_made()
    return tmp_path / "made/tables"


def test_one_changed_limit_reaches_its_tables_and_no_other(folder):
    puhti = CLUSTERS["puhti"]
    gpu = puhti.partitions["gpu"].model_copy(update={"max_time": Walltime("5-00:00:00")})
    changed = CLUSTERS | {"puhti": puhti.model_copy(update={"partitions": puhti.partitions | {"gpu": gpu}})}
    names = ("compare.md", "puhti/migration-reduced.md", "puhti/migration.md", "puhti/partitions.md")
    assert made.write(made.tables(changed)) == [folder / name for name in names]
    assert "5 days" in (folder / "puhti/partitions.md").read_text(encoding="utf-8")
    assert made.write(made.tables(changed)) == [], "what is right already is not touched"


def test_what_nothing_makes_any_more_goes(folder):
    (folder / "gone").mkdir()
    (folder / "gone/gpus.md").touch()
    assert made.write_made() == [folder / "gone/gpus.md"]
    assert not (folder / "gone").exists() and (folder / "puhti").exists()
