"""Which system a script in a document is for: what the text around it names, or what it asks for itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scripts.documents.script import Script
from scripts.engine.ask import ask
from scripts.facts import Cluster
from scripts.facts.centres import load_centres

CENTRE = "the document names its center"
FIRST = "its document names none, so the first --system"


@dataclass(frozen=True)
class For:
    """systems: those that the script may be for; with several it is right if one of them takes it. why: in words, of
    an empty list why none can be told.
    """

    systems: tuple[str, ...]
    why: str


def decide(scripts: Sequence[Script], clusters: dict[str, Cluster], given: Sequence[str]) -> list[For]:
    """given: the systems that the documents may be about; the first is meant where a text names none of them."""
    asked = [] if given else ask("origins", clusters.values(), [script.text for script in scripts])
    names = Names(clusters)
    if not given:
        return [_unguided(script, clusters, names, found) for script, found in zip(scripts, asked, strict=True)]
    return [_guided(script, {key: clusters[key] for key in given}, names) for script in scripts]


def _guided(script: Script, clusters: dict[str, Cluster], names: Names) -> For:
    known = _of_scheduler(script, clusters)
    if not known:
        return For((), "its directives are for a different scheduler")
    texts = (*script.labels, script.around)
    if len(known) == 1:
        return For(known, f"--system {known[0]}")
    if named := _named(texts, known, names.systems):
        return For(named, "named in the document")
    if named := _named(texts, known, names.centres):
        return For(named, CENTRE)
    return For(known[:1], FIRST)


def _unguided(script: Script, clusters: dict[str, Cluster], names: Names, asked: list[dict]) -> For:
    """Nothing is guessed: what the text around a script names and what the script asks for must agree.

    Prose that gives a system another's partition is what is looked for.
    """
    asked = [] if script.prose else asked
    origins = {each["key"]: each["why"] for each in asked if clusters[each["key"]].scheduler.kind == script.kind}
    named = _named(script.labels, _of_scheduler(script, clusters), names.systems)
    if both := tuple(key for key in named if key in origins or not origins):
        return For(both, "named in the document")
    if named:
        said, others = (", ".join(clusters[key].name for key in keys) for keys in (named, origins))
        return For((), f"its document names {said}, but it requests resources of {others}")
    if len(origins) == 1 and not script.part:  # a part of a request is no sign of a system
        ((key, why),) = origins.items()
        return For((key,), why)
    if of_centre := _named(script.labels, origins, names.centres):
        return For(of_centre, CENTRE)
    return For((), "its document names no system of the guide, and its request fits several systems or none")


def _of_scheduler(script: Script, clusters: dict[str, Cluster]) -> tuple[str, ...]:
    return tuple(key for key, cluster in clusters.items() if cluster.scheduler.kind == script.kind)


def _named(texts: Iterable[str], known: Iterable[str], names: dict[str, frozenset[str]]) -> tuple[str, ...]:
    """Those that the nearest text names that names any."""
    for text in texts:
        if named := tuple(key for key in known if names[key] & _words(text)):
            return named
    return ()


class Names:
    """Of each system: the words that name it, and those that name its center and no system."""

    def __init__(self, clusters: dict[str, Cluster]):
        self.systems = {key: _words(cluster.name) | {key} for key, cluster in clusters.items()}
        centres = load_centres()
        short = {key: _words(" ".join([key, *re.findall("[A-Z]{2,}", each.name)])) for key, each in centres.items()}
        known = frozenset().union(*self.systems.values())
        self.centres = {key: short.get(each.centre or "", frozenset()) - known for key, each in clusters.items()}


@lru_cache(64)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_\d]+", text.lower()))
