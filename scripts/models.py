"""Typed models of YAML and JSON files: strict, and every fault of a file told at once, with its line and cure."""

import json
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from scripts.errors import BadInput, did_you_mean, refuse
from scripts.paths import shown
from scripts.yaml_lines import Lines, load

Model = TypeVar("Model", bound=BaseModel)
CURES = {
    "list_type": "Write it in brackets: [first, second].",
    "string_type": "Write one text, a number in quotes.",
    "int_type": "Write a whole number without quotes.",
}


class Strict(BaseModel):
    """A part of such a file: no key that it does not know, and nothing changes it."""

    model_config = ConfigDict(extra="forbid", frozen=True)


def load_model(path: Path, model: type[Model], see: str, **given: object) -> tuple[Model, Lines]:
    """The file as this model, and the line of each key. `given` adds values that the file must not name itself.

    see: where a person finds what may stand in such a file; it ends a sentence of its own.
    Raises BadInput with every fault of the file.
    """
    if path.exists() and not path.is_file():
        raise BadInput(shown(path), None, "this is not a plain file.", "Put a text file in its place.")
    return _loaded(path, path.read_bytes(), model, see, tuple(given.items()))


@lru_cache(maxsize=2048)  # of a file that has not changed: most commands and tests read the same few, many times
def _loaded(path: Path, _content: bytes, model: type[Model], see: str, added: tuple) -> tuple[Model, Lines]:
    given, name = dict(added), shown(path)
    data, lines = load(path, name)
    if not isinstance(data, dict):
        raise BadInput(name, 1, "this file must be a list of `key: value` lines.", "Start from a different one.")
    try:
        for key in given.keys() & data.keys():
            raise BadInput(name, lines[key,], f"`{key}` is not written in the file.", "Remove the line.")
        return model.model_validate({**data, **given}), lines
    except ValidationError as fault:
        refuse(explained(fault, model, lines, name, see))
        raise


def explained(fault: ValidationError, model: type[BaseModel], lines: Lines, name: Path, see: str) -> list[BadInput]:
    """What is wrong with a file, a sentence each, in the order of its lines."""
    errors = sorted(fault.errors(), key=lambda error: line_of(lines, error["loc"]))
    # A misspelt key is also a missing one: say the first alone.
    misspelt = {tuple(error["loc"][:-1]) for error in errors if error["type"] == "extra_forbidden"}
    told = [error for error in errors if error["type"] != "missing" or tuple(error["loc"][:-1]) not in misspelt]
    # What is written once and used in several places (a YAML anchor) is one fault.
    once = {(line_of(lines, error["loc"]), error["type"], error["loc"][-1:]): error for error in reversed(told)}
    return [_explain(error, model, lines, name, see) for error in reversed(once.values())]


def line_of(lines: Lines, at: tuple[str | int, ...]) -> int:
    """The line of this key, or of the nearest above it that the file has."""
    at = tuple(part for part in at if part != "[key]")
    while at not in lines:
        at = at[:-1]
    return lines[at]


def schema_of(model: type[BaseModel]) -> str:
    """The JSON Schema with which an editor completes and checks a file of this form while it is typed."""
    schema = model.model_json_schema()
    for name in [name for name, field in model.model_fields.items() if field.exclude]:  # the file does not have it
        schema["required"].remove(name)
        del schema["properties"][name]
    return json.dumps({"$schema": "https://json-schema.org/draft/2020-12/schema", **schema}, indent=1) + "\n"


def _explain(error: dict, model: type[BaseModel], lines: Lines, name: Path, see: str) -> BadInput:
    at = tuple(part for part in error["loc"] if part != "[key]")
    dotted = ".".join(map(str, at))
    what, cure = f"`{dotted}`: {error['msg']}.", see
    if error["type"] in CURES:
        cure = CURES[error["type"]]
    elif error["type"] == "extra_forbidden":
        what, cure = f"`{dotted}` is not a key the model knows.", did_you_mean(str(at[-1]), _known_keys(model, at))
    elif error["type"] == "missing":
        what, cure = f"`{dotted}` is missing.", "Add it."
    elif error["type"] == "value_error":
        message, _, example = str(error["ctx"]["error"]).partition("; ")
        what = f"`{dotted}`: {message}." if dotted else f"{message}."
        cure = f"{example[:1].upper()}{example[1:]}." if example else ""
    return BadInput(name, line_of(lines, at), what, cure)


def _known_keys(model: type[BaseModel], at: tuple) -> list[str]:
    """The keys allowed beside a wrong one, found by walking the JSON Schema."""
    schema = model.model_json_schema()

    def resolved(node: dict) -> dict:
        while "$ref" in node or "anyOf" in node:
            node = schema["$defs"][node["$ref"].split("/")[-1]] if "$ref" in node else node["anyOf"][0]
        return node

    node = schema
    for part in at[:-1]:
        node = resolved(node)
        inside = node.get("properties", {}).get(part) or node.get("additionalProperties")
        node = node.get("items") if isinstance(part, int) else inside
        if not isinstance(node, dict):
            return []
    return list(resolved(node).get("properties", {}))
