"""Change single values of a facts file and leave all else as it is: comments, order, what stands on one line."""

import json
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import yaml

from scripts.errors import BadInput
from scripts.facts.load import read_file
from scripts.paths import INSTALLED, OURS, shown

Keys = tuple[str, ...]


def refuse_package(file: Path | str) -> None:
    """Raises BadInput for the facts that an installed package brings: its next version would undo the change."""
    if INSTALLED and OURS:
        cure = "Use a copy of the guide's repository, or your own facts: --facts DIR."
        raise BadInput(file, None, "the facts of the installed package cannot be changed.", cure)


@dataclass
class Edits:
    """Changes of one text, each a piece of it and what takes its place; they must not overlap."""

    text: str
    pieces: list[tuple[int, int, str]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.root = yaml.compose(self.text, Loader=yaml.SafeLoader)

    def result(self) -> str:
        text = self.text
        for start, end, new in sorted(self.pieces, reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def put(self, path: Keys, value: str | None) -> None:
        """Write a value at a key's path; None takes the key out. What is above the key must be there."""
        above = self._at(path[:-1])
        if above is None:
            raise KeyError(path)
        self.set(above, path[-1], value)

    def set(self, above: yaml.MappingNode, key: str, value: str | None) -> None:
        """Write a value at a key of this mapping; None takes the key out."""
        pair = _pair(above, key)
        if value is None:
            if pair:
                self._take_out(above, pair)
        elif pair:
            self.pieces.append((pair[1].start_mark.index, pair[1].end_mark.index, value))
        elif above.flow_style and above.value:
            last = above.value[-1][1].end_mark.index  # a comma may stand behind it
            self.pieces.append((last, last, f", {key}: {value}"))
        elif above.flow_style:
            self.pieces.append((above.end_mark.index - 1, above.end_mark.index - 1, f"{key}: {value}"))
        elif isinstance(above.value[-1][1], yaml.ScalarNode):
            end = self.text.find("\n", above.value[-1][1].end_mark.index)
            self.pieces.append((end, end, f"\n{' ' * above.value[0][0].start_mark.column}{key}: {value}"))
        else:
            first = above.value[0][0].start_mark
            self.pieces.append((first.index, first.index, f"{key}: {value}\n{' ' * first.column}"))

    def sources(self) -> list[yaml.MappingNode]:
        """Every source of every group, once where an anchor shares it."""
        groups = self._at(("sources",)).value
        return list({source.start_mark.index: source for _, group in groups for source in group.value}.values())

    def doubt(self, dotted: str) -> None:
        """Take a key out of `unconfirmed:`, and that with its last one."""
        doubts = self._at(("unconfirmed",))
        pair = doubts and _pair(doubts, dotted)
        if pair:
            gone = {start for start, _, _ in self.pieces}
            left = [key for key, _ in doubts.value if self._line(key) not in gone and key is not pair[0]]
            self._take_out(doubts, pair)
            if not left:
                key = _pair(self.root, "unconfirmed")[0]
                self.pieces.append((self._line(key), self.text.index("\n", key.start_mark.index) + 1, ""))

    def source(self, group: str, new: dict[str, str]) -> None:
        """Put a source before the others of a group, once. What an anchor shares becomes each one's own."""
        sources = self._at(("sources",))
        pair = _pair(sources, group)
        if not pair:
            self.put(("sources", group), f"[{flow(new)}]")
            return
        key, node = pair
        if any((old.get("url"), old.get("dated")) == (new["url"], new["dated"]) for old in _items(node)):
            return
        written = self.text[key.end_mark.index :].lstrip(": \n")
        if written.startswith("*"):
            start = self.text.index("*", key.end_mark.index)
            name = re.match(r"\*[\w-]+", self.text[start:])[0]
            self.pieces.append((start, start + len(name), f"[{', '.join([flow(new), *map(flow, _items(node))])}]"))
            return
        if written.startswith("&"):
            start = self.text.index("&", key.end_mark.index)
            anchor = re.match(r"&([\w-]+) *", self.text[start:])
            self.pieces.append((start, start + len(anchor[0]), ""))
            copy = f"[{', '.join(map(flow, _items(node)))}]"
            for other in re.finditer(rf"(?<=: )\*{anchor[1]}(?![\w-])", self.text):
                self.pieces.append((other.start(), other.end(), copy))
        if node.flow_style:
            at = self.text.index("[", key.end_mark.index) + 1
            self.pieces.append((at, at, f"{flow(new)}, "))
        else:
            first = re.compile(r"(?m)^( *)- ").search(self.text, self._line_at(node.start_mark.index))
            self.pieces.append((first.end(1), first.end(1), f"- {flow(new)}\n{first[1]}"))

    def _at(self, path: Keys) -> yaml.MappingNode | None:
        node = self.root
        for name in path:
            pair = _pair(node, name) if isinstance(node, yaml.MappingNode) else None
            if not pair:
                return None
            node = pair[1]
        return node if isinstance(node, yaml.MappingNode) else None

    def _take_out(self, above: yaml.MappingNode, pair: tuple[yaml.Node, yaml.Node]) -> None:
        if not above.flow_style:
            end = pair[1].end_mark.index  # of a block: where the next key begins
            if isinstance(pair[1], yaml.ScalarNode) or pair[1].flow_style:
                end = self.text.find("\n", end - 1) + 1 or len(self.text)
            end = self._line_at(end) if end < len(self.text) else end
            self.pieces.append((self._line(pair[0]), end, ""))
            return
        at = above.value.index(pair)
        if at:
            self.pieces.append((above.value[at - 1][1].end_mark.index, pair[1].end_mark.index, ""))
        else:
            end = above.value[1][0].start_mark.index if len(above.value) > 1 else pair[1].end_mark.index
            self.pieces.append((pair[0].start_mark.index, end, ""))

    def _line(self, node: yaml.Node) -> int:
        return self._line_at(node.start_mark.index)

    def _line_at(self, index: int) -> int:
        return self.text.rfind("\n", 0, index) + 1


def _pair(node: yaml.MappingNode, name: str) -> tuple[yaml.Node, yaml.Node] | None:
    return next((pair for pair in node.value if pair[0].value == name), None)


def _items(node: yaml.SequenceNode) -> list[dict[str, str]]:
    return [{key.value: value.value for key, value in item.value} for item in node.value]


def flow(source: dict[str, str]) -> str:
    """A source on one line."""
    dates = ("dated", "read")
    words = [
        f"{key}: {value if key in dates else json.dumps(value, ensure_ascii=False)}" for key, value in source.items()
    ]
    return f"{{{', '.join(words)}}}"


def checked(file: Path, text: str) -> str:
    """The new text of this facts file. Raises BadInput if it would not be well formed."""
    with tempfile.TemporaryDirectory() as folder:
        trial = Path(folder, file.parent.name, file.name)
        trial.parent.mkdir()
        trial.write_text(text, encoding="utf-8")
        try:
            read_file(trial)
        except BadInput as fault:
            reason = str(fault).splitlines()[0].replace(str(trial), str(shown(file)))
            raise BadInput(shown(file), None, f"this file cannot be written: {reason}", "Edit it by hand.") from None
    return text
