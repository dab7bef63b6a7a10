"""The fields of the API's files, made of their schema: a table for each part."""

from scripts.facts.api import CHANGES, schema
from scripts.markdown import table

FILES = {"Index": "index.json", "": "KEY.json"}
REF = "#/$defs/"


def _parts(field: dict) -> list[dict]:
    """The schemas of what a field can be, without null."""
    return [each for each in field.get("anyOf", [field]) if each.get("type") != "null"]


def _names(field: dict) -> list[str]:
    """The parts of the schema that a field leads to."""
    inner = (field.get("items"), field.get("additionalProperties"), *field.get("anyOf", []))
    found = [name for each in inner if isinstance(each, dict) for name in _names(each)]
    return [field["$ref"].removeprefix(REF), *found] if "$ref" in field else found


def type_of(field: dict, defs: dict) -> str:
    if len(parts := _parts(field)) != 1 or parts[0] is not field:
        return " or ".join(type_of(each, defs) for each in parts)
    if "$ref" in field:
        name = field["$ref"].removeprefix(REF)
        return f"[{name}](#{name.lower()})" if "properties" in defs[name] else type_of(defs[name], defs)
    if values := field.get("enum", [field["const"]] if "const" in field else []):
        return " or ".join(f"`{value}`" for value in values)
    if field.get("type") == "array":
        return f"list of {type_of(field['items'], defs)}"
    if isinstance(inner := field.get("additionalProperties"), dict):
        return f"object of {type_of(inner, defs)}"
    return field.get("type", "any")


def unit(field: dict) -> str:
    """The unit of a field, or of what is in it; empty for words and for what has none."""
    inner = (field, *_parts(field), field.get("items"), field.get("additionalProperties"))
    found = [each["unit"] for each in inner if isinstance(each, dict) and "unit" in each]
    return found[0] if found else next((unit(each) for each in _parts(field) if each is not field), "")


def _meaning(field: dict) -> str:
    default = field.get("default")
    known = f" `{default}` if omitted." if isinstance(default, (str, int)) and default is not False else ""
    words = field["description"]
    return (words if words.endswith(("?", ".")) else f"{words}.") + known


def parts() -> dict[str, dict]:
    """Name -> each object of the schema, behind the one that leads to it; a system's file is ''."""
    whole = schema()
    found, waiting = {}, list(FILES)
    while waiting:
        name = waiting.pop(0)
        part = whole if not name else whole["$defs"][name]
        if name not in found and "properties" in part:
            found[name] = part
            waiting = [*(each for field in part["properties"].values() for each in _names(field)), *waiting]
    return found


def fields() -> str:
    """The section of every part."""
    defs, sections = schema()["$defs"], [CHANGES]
    for name, part in parts().items():
        title = f"### `{FILES[name]}`" if name in FILES else f"#### {name}"
        rows = [
            (
                f"`{key}`" + (" *" if key in part.get("required", ()) else ""),
                type_of(field, defs),
                unit(field),
                _meaning(field),
            )
            for key, field in part["properties"].items()
        ]
        head = f"{title} {{ #{name.lower() or 'system'} data-search-exclude }}"
        sections += [head, part.get("description", ""), table(("Field", "Type", "Unit", "Meaning"), rows)]
    return "\n\n".join(sections) + "\n"
