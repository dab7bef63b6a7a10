"""Every message that the twins say has an entry, and each entry that names them as its source is said by one."""

import pytest

from scripts.facts import load_all
from scripts.messages import load_messages
from scripts.messages.load import TWINS
from tests.messages.explained import entries
from tests.messages.sweep import said
from tests.tiers import by_day
from tests.twin import kept

CLUSTERS = load_all()
MESSAGES = load_messages(CLUSTERS)
SYSTEMS = {entry.key: entry.systems for entry in MESSAGES}


@pytest.fixture
def heard(once):
    """heard(key): what a cluster's twin says, each with its cause; swept once in a run."""

    def sweep(folder):
        folder.mkdir()
        twin = kept.twin(CLUSTERS[folder.name.removeprefix("heard-")])
        lines = [f"{cause}\t{line}" for cause, line in said(twin)]
        (folder / "said").write_text("\n".join(lines), encoding="utf-8")

    def get(key: str) -> list[tuple[str, str]]:
        kept.need_scheduler(CLUSTERS[key].scheduler.kind)
        text = (once(f"heard-{key}", sweep) / "said").read_text(encoding="utf-8")
        return [tuple(line.split("\t", 1)) for line in text.split("\n")]

    return get


@pytest.mark.parametrize("key", by_day(CLUSTERS, {"puhti"}))
def test_every_message_of_a_twin_has_an_entry(key, heard, record_property):
    lines = heard(key)
    unexplained = []
    for (cause, line), entry in zip(lines, entries([line for _, line in lines], key), strict=True):
        if entry is None or key not in SYSTEMS[entry]:
            where = "" if entry is None else f" ({entry} is not said to be of this system)"
            unexplained.append(f"{line}{where}: said to {cause}. Write an entry in snippets/messages/refused.yml.")
    record_property("messages of twins", len(lines))
    assert unexplained == []
    assert lines


@pytest.mark.nightly
@pytest.mark.timeout(1200)  # alone, it sweeps all twins
def test_every_entry_from_the_twins_is_said_by_one(heard):
    found = {entry for key in CLUSTERS for entry in entries([line for _, line in heard(key)], key)}
    assert {entry.key for entry in MESSAGES if entry.of == TWINS and not entry.message.beside} - found == set()
