"""Which system a script in a document is for: what the text around it names, or what it asks for itself."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from scripts.documents.script import Script
from scripts.engine.ask import ask
from scripts.facts import Cluster

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
    if not given:
        return [_unguided(script, clusters, found) for script, found in zip(scripts, asked, strict=True)]
    return [_guided(script, {key: clusters[key] for key in given}) for script in scripts]


def _guided(script: Script, clusters: dict[str, Cluster]) -> For:
    known = _of_scheduler(script, clusters)
    if not known:
        return For((), "its directives are for a different scheduler")
    named = _named((*script.labels, script.around), known, clusters) if len(known) > 1 else ()
    if named:
        return For(named, "named in the document")
    return For(known[:1], FIRST if len(known) > 1 else f"--system {known[0]}")


def _unguided(script: Script, clusters: dict[str, Cluster], asked: list[dict]) -> For:
    """Nothing is guessed: what the text around a script names and what the script asks for must agree."""
    origins = {each["key"]: each["why"] for each in asked if clusters[each["key"]].scheduler.kind == script.kind}
    named = _named(script.labels, _of_scheduler(script, clusters), clusters)
    if both := tuple(key for key in named if key in origins or not origins):
        return For(both, "named in the document")
    if named:
        names, others = (", ".join(clusters[key].name for key in keys) for keys in (named, origins))
        return For((), f"its document names {names}, but it requests resources of {others}")
    if len(origins) == 1:
        ((key, why),) = origins.items()
        return For((key,), why)
    return For((), "its document names no system of the guide, and its request fits several systems or none")


def _of_scheduler(script: Script, clusters: dict[str, Cluster]) -> tuple[str, ...]:
    return tuple(key for key, cluster in clusters.items() if cluster.scheduler.kind == script.kind)


def _named(texts: Iterable[str], known: Iterable[str], clusters: dict[str, Cluster]) -> tuple[str, ...]:
    """Those that the nearest text names that names any."""
    for text in texts:
        if named := tuple(key for key in known if _words(clusters[key].name) & _words(text) or key in _words(text)):
            return named
    return ()


@lru_cache(64)
def _words(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"[^\W_\d]+", text.lower()))
