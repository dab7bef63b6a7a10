"""The form of the API's files, `api/v1/*.json`: their schema, from which docs/about/api.md is made, too."""

from typing import Any, Literal

from pydantic import Field, create_model
from pydantic.json_schema import models_json_schema

from scripts.facts.model import GROUPS, Cluster, Source
from scripts.facts.units import Date
from scripts.models import Strict

VERSION = 1
CHANGES = (
    f"This is version {VERSION}. We may add fields, and change the wording of a text, at any time. If we remove "
    "or rename a field, or change its type, unit or meaning, we publish a new version in its own folder."
)
ENGINE_ONLY = (
    "Only for `engine.js` in the same folder. Its content is not described, because it changes with the engine"
)

Facts = create_model(
    "Facts",
    __base__=Strict,
    __doc__="The facts of a system. A fact that is unknown, or that has its default value, is omitted.",
    **{name: (Cluster.model_fields[name].annotation, Cluster.model_fields[name]) for name in GROUPS},
)


class Listed(Strict):
    """A system in the index."""

    key: str = Field(pattern="^[a-z][a-z0-9_-]*$", description="Name of the system in addresses and commands")
    name: str = Field(description="Name of the system for readers")
    scheduler: Literal["slurm", "grid_engine"] = Field(description="Slurm, or Grid Engine")
    read: Date = Field(description="The latest day on which we read a source")


class Index(Strict):
    """`index.json`: all systems, and the names of the other files."""

    version: Literal[VERSION] = Field(description="Version of the format")
    engine: str = Field(description="Name of the engine's file")
    common: str = Field(description="Name of the file that the engine needs for all systems. " + ENGINE_ONLY)
    clusters: list[Listed] = Field(description="All systems")


class ClusterFile(Listed):
    __doc__ = "`KEY.json`: the facts of a system, with their sources and doubts."

    version: Literal[VERSION] = Field(description="Version of the format")
    centre: str = Field(description="Key of the center that operates the system")
    operator: str = Field(description="Full name of the operator")
    docs: str = Field(description="Address of the operator's documentation")
    facts: Facts = Field(description="The facts")
    sources: dict[str, list[Source]] = Field(description="Sources of each group of facts")
    unconfirmed: dict[str, str] = Field(
        description="For each fact that no operator confirms, by dotted key, the reason for the doubt"
    )
    system: dict[str, Any] = Field(description="Data for the engine, as `jobscript.systems[key]`. " + ENGINE_ONLY)


def schema() -> dict:
    """The JSON Schema of `KEY.json`; that of `index.json` is its `#/$defs/Index`. Numbers have a `unit`."""
    _, found = models_json_schema([(ClusterFile, "validation"), (Index, "validation")])
    root = found["$defs"].pop("ClusterFile")
    title = {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "A system of the GPU Cluster Guide"}
    return title | {"version": VERSION, "$comment": CHANGES} | {**root, "title": title["title"]} | found
