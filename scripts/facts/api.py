"""The form of the API's files, `api/v1/*.json`: their schema, from which docs/about/api.md is made, too."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field, create_model
from pydantic.json_schema import models_json_schema

from scripts.facts.model import GROUPS, Cluster, Source
from scripts.facts.units import Date
from scripts.models import Strict

VERSION = 1
CHANGES = (
    f"This is version {VERSION}. New fields, and new words in a text, can be added to it at any time. If a field is "
    "removed or renamed, or gets another type, unit or meaning, a new version begins, in its own folder."
)
ENGINE_ONLY = (
    "Only for `engine.js` in the same folder, and not described, because it changes with the engine in any version"
)

Facts = create_model(
    "Facts",
    __base__=Strict,
    __doc__="The facts of a system. A fact that is unknown, or that has its default value, is omitted.",
    **{name: (Cluster.model_fields[name].annotation, Cluster.model_fields[name]) for name in GROUPS},
)


class Listed(Strict):
    """A system in the index."""

    key: str = Field(pattern="^[a-z][a-z0-9_-]*$", description="Its name in addresses and commands")
    name: str = Field(description="Its name for readers")
    scheduler: Literal["slurm", "grid_engine"] = Field(description="Slurm, or Grid Engine")
    read: Date = Field(description="The day on which the newest of its sources was read")


class Index(Strict):
    """`index.json`: which systems there are, and the names of the other files."""

    version: Literal[VERSION] = Field(description="The version of this form")
    engine: str = Field(description="The file of the engine")
    common: str = Field(description="The file that the engine needs for all systems. " + ENGINE_ONLY)
    clusters: list[Listed] = Field(description="All systems")


class ClusterFile(Listed):
    __doc__ = "`KEY.json`: the facts of a system, where each was read, and what is in doubt."

    version: Literal[VERSION] = Field(description="The version of this form")
    centre: str = Field(description="Key of the center that runs it")
    operator: str = Field(description="Who runs it, in full")
    docs: str = Field(description="Address of the operator's documentation")
    facts: Facts = Field(description="The facts")
    sources: dict[str, list[Source]] = Field(description="For each group of facts, where it was read")
    unconfirmed: dict[str, str] = Field(
        description="Dotted key of a fact that no operator confirms: the reason for the doubt"
    )
    system: dict[str, Any] = Field(description="Give it to the engine as `jobscript.systems[key]`. " + ENGINE_ONLY)


def schema() -> dict:
    """The JSON Schema of `KEY.json`; that of `index.json` is its `#/$defs/Index`. Numbers have a `unit`."""
    _, found = models_json_schema([(ClusterFile, "validation"), (Index, "validation")])
    root = found["$defs"].pop("ClusterFile")
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A system of the GPU Cluster Guide"}
    return title | {"version": VERSION, "$comment": CHANGES} | {**root, "title": title["title"]} | found
