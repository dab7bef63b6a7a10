"""No fact that no reader can see, no doubt that is not marked where the value stands."""

from collections.abc import Iterator
from enum import Enum
from typing import Any

import pytest
from pydantic import BaseModel

from scripts.facts import Cluster
from scripts.facts.model import GROUPS
from scripts.facts.units import Day, Memory, Walltime
from scripts.tables.cluster import OF_RUNNING, TABLES, storage
from tests.clusters import CLUSTERS

SHOWN = {name: make for name, make in TABLES.items() if name != "sources.md"}


def tables(cluster: Cluster) -> list[str]:
    of_it = SHOWN | (OF_RUNNING if cluster.running else {})
    return [make(cluster, CLUSTERS) for make in of_it.values()]


def leaves(value: Any, path: tuple = ()) -> Iterator[tuple]:
    """The path of every value that a facts file itself holds."""
    if isinstance(value, BaseModel):
        for name in value.model_fields_set:
            yield from leaves(getattr(value, name), (*path, name))
    elif isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list):
        for place, each in enumerate(value):
            yield from leaves(each, (*path, place))
    elif value is not None:
        yield path


def changed(value: Any, path: tuple) -> Any:
    """The same with another value of the same kind at this path."""
    if not path:
        return other(value)
    first, *rest = path
    if isinstance(value, BaseModel):
        return value.model_copy(update={first: changed(getattr(value, first), tuple(rest))})
    copy = value.copy()
    copy[first] = changed(value[first], tuple(rest))
    return copy


def other(value: Any) -> Any:
    if isinstance(value, bool):
        return not value
    if isinstance(value, Enum):
        return next(each for each in type(value) if each is not value)
    if isinstance(value, int | float):
        return value + 1
    for kind, another in {Memory: "123.4 TiB", Walltime: "9-01:23:45", Day: "2031-02-03"}.items():
        if isinstance(value, kind):
            return kind(another)
    return {"slurm": "grid_engine", "grid_engine": "slurm"}.get(value, f"{value}x")


# Names that hold the file together; each is shown where it is used.
REFERENCES = {
    ("gpus", "slice_of"),
    ("gpus", "slice"),
    ("status", "successor"),
    ("partitions", "node_types"),
    ("gpus", "device"),
    ("software", "r"),
}


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_every_doubt_is_marked_where_the_value_stands(cluster):
    bare = tables(cluster.model_copy(update={"unconfirmed": {}}))
    hidden = [
        key
        for key, why in cluster.unconfirmed.items()
        if tables(cluster.model_copy(update={"unconfirmed": {key: why}})) == bare
    ]
    assert hidden == [], f"{cluster.key}: no table but Sources marks these doubts"


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_every_fact_is_in_a_table(cluster):
    shown = tables(cluster)
    facts = [
        path for path in leaves(cluster) if path[0] in GROUPS and not REFERENCES & {(path[0], part) for part in path}
    ]
    hidden = [".".join(map(str, path)) for path in facts if tables(changed(cluster, path)) == shown]
    assert hidden == [], f"{cluster.key}: no table shows these facts"


WORDS = {  # of a place for files: what its row says if it is so, and what if it is not
    "backup": ("backed up", "no backup"),
    "read_only_in_jobs": ("read-only in jobs", None),
    "no_results": ("not for results", None),
    "in_memory": ("in memory", None),
    "one_node": ("visible only on its node", None),
    "shared_directory": ("possibly the same directory for all your jobs on a node", None),
}


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=CLUSTERS.keys())
def test_a_place_for_files_says_what_holds_of_it_and_nothing_else(cluster):
    text = storage(cluster, CLUSTERS)
    for place in cluster.storage:
        (row,) = [row for row in text.splitlines() if row.startswith(f"| `{place.path}`")]
        assert (place.more or "") in text
        cells = row.replace(place.use, "").replace(place.kept, "").replace("in memory on nodes without", "")
        wanted = {words[not held] for name, words in WORDS.items() if (held := getattr(place, name)) is not None}
        said = {each for words in WORDS.values() for each in words if each and f"; {each}" in cells}
        assert said == wanted - {None}, row
