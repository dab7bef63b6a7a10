"""Read YAML as plain data and remember on which line every key stands.

YAML 1.1 turns `12:00:00` into 43200 and `no` into False; a time limit must not be read so.
Here a plain scalar becomes a number or true/false/null only as in YAML 1.2, else it stays text.
"""

import re
from pathlib import Path
from typing import Any

import yaml

from scripts.errors import BadInput, utf8

Lines = dict[tuple[str | int, ...], int]
MOST = 100_000  # values of a file: ours have 5,300 at most; anchors of anchors can mean billions

_WORDS = {"true": True, "false": False, "null": None, "~": None, "": None}
_INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]{0,99})\Z")  # Python converts no longer than 4,300
_DECIMAL = re.compile(r"[-+]?[0-9]+\.[0-9]+\Z")


def _scalar(node: yaml.ScalarNode) -> Any:
    if node.style:  # quoted or block text is text
        return node.value
    if node.value in _WORDS:
        return _WORDS[node.value]
    if _INTEGER.match(node.value):
        return int(node.value)
    if _DECIMAL.match(node.value):
        return float(node.value)
    return node.value


def _build(node: yaml.Node, path: Path, at: tuple[str | int, ...], lines: Lines) -> Any:
    lines.setdefault(at, node.start_mark.line + 1)
    if len(lines) > MOST:
        what = f"this file has more than {MOST:,} values, counting each use of an anchor."
        raise BadInput(path, lines.get(at[:1]), what, "Write the values without anchors.")
    if isinstance(node, yaml.ScalarNode):
        return _scalar(node)
    if isinstance(node, yaml.SequenceNode):
        return [_build(item, path, (*at, i), lines) for i, item in enumerate(node.value)]
    data: dict[str, Any] = {}
    for key_node, value_node in node.value:
        key, line = str(key_node.value), key_node.start_mark.line + 1
        if key in data:
            raise BadInput(path, line, f"the key `{key}` appears twice.", "Keep one of the two.")
        lines[(*at, key)] = line
        data[key] = _build(value_node, path, (*at, key), lines)
    return data


def _compose(text: str) -> yaml.Node | None:
    """libyaml reads ten times as fast, where PyYAML has it; PyYAML's own reader says better what is wrong."""
    try:
        return yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    except yaml.YAMLError:
        return yaml.compose(text, Loader=yaml.SafeLoader)


def load(path: Path, shown_as: Path | None = None) -> tuple[Any, Lines]:
    """Return (data, line of each key path). Raises BadInput for anything that is not YAML."""
    name = shown_as or path
    text = utf8(path.read_bytes(), name)
    lines: Lines = {}
    try:
        node = _compose(text)
        if node is None:
            raise BadInput(name, None, "the file is empty.", "Copy a file of the same kind, or delete this one.")
        return _build(node, name, (), lines), lines
    except RecursionError:
        what = "this is nested too deeply."
        raise BadInput(name, None, what, "Close each bracket, and use no anchor inside itself.") from None
    except yaml.MarkedYAMLError as fault:
        mark = fault.problem_mark or fault.context_mark
        cure = "Check the indentation and the quotes on this line and the one above."
        line = mark.line + 1 if mark else None
        raise BadInput(name, line, f"this is not YAML: {fault.problem}.", cure) from None
    except yaml.YAMLError as fault:
        what = f"this is not YAML: {str(fault).splitlines()[0]}."
        raise BadInput(name, None, what, "Remove the character.") from None
