"""Join the engine's modules into classic scripts: a page that a browser opens as a file may not load modules, and
QuickJS gets one text.

A module is a file with `import {a, b as c} from "./x.js"`, `import * as x from "./x.js"`, `import "./x.js"`,
`export * from "./x.js"`, and `export` before a function, class or const. Each becomes a function that runs once, behind
what it imports; what it exports stands under its number in `globalThis.jobscript.modules`. Bundlers split modules only,
not classic scripts, so none of them lets two such scripts share what both import.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from scripts.errors import BadInput
from scripts.paths import shown

JS = Path(__file__).with_name("js")
GLOBAL = "globalThis.jobscript"
IMPORT = re.compile(
    r'^(?:import (?:(?P<what>\{[^}]*\}|\* as \w+) from )?|export (?P<all>\*) from )"(?P<path>[^"]+)"\n', re.MULTILINE
)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function\*?|const|class) (?P<name>\w+))", re.MULTILINE)
STRANGE = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)
# Of a rule, what only tests need; the formatter gives it this form.
SAMPLES = re.compile(r"^    (?:bad|good): \[(?:.*\],|\n(?:.*\n)*?    \],)\n", re.MULTILINE)


@dataclass(frozen=True)
class Module:
    """imports: (what stands before `from`, file) in their order; "*" hands on all that the file exports.
    code: without them. exports: names.
    """

    path: Path
    imports: tuple[tuple[str, Path], ...]
    code: str
    exports: tuple[str, ...]


@dataclass
class Chunk:
    """One classic script: all that `entry` imports and no chunk of `needs` has, which a page loads before it."""

    entry: Path
    needs: list[Chunk] = field(default_factory=list)

    def modules(self) -> list[Path]:
        """The files of this chunk, each behind what it imports."""
        there = {path for chunk in self.needs for path in chunk.all()}
        return [path for path in ordered(self.entry) if path not in there]

    def all(self) -> set[Path]:
        return set(self.modules()).union(*(chunk.all() for chunk in self.needs))


@cache
def read(path: Path, stamp: int) -> Module:
    """Raises BadInput for what this joiner does not know. `stamp` is the file's time, so that a change is read."""
    text = path.read_text(encoding="utf-8")
    imports = tuple(
        (match["what"] or match["all"] or "", (path.parent / match["path"]).resolve())
        for match in IMPORT.finditer(text)
    )
    code = IMPORT.sub("", text)
    exports = tuple(match["name"] for match in EXPORT.finditer(code))
    code = EXPORT.sub("", code)
    if strange := STRANGE.search(code):
        line = text[: text.index(strange[0])].count("\n") + 1
        raise BadInput(shown(path), line, f"`{strange[0][:60]}` is not a form of import or export that can be joined.",
                       "See scripts/engine/bundle.py for those that are.")  # fmt: skip
    return Module(path, imports, code, exports)


def module(path: Path) -> Module:
    try:
        return read(path, path.stat().st_mtime_ns)
    except FileNotFoundError:
        raise BadInput(
            shown(path), None, "is imported but does not exist.", "Correct the import, or add the file."
        ) from None


def ordered(entry: Path) -> list[Path]:
    """The entry and all that it imports, each behind what it imports. Raises BadInput for a circle."""
    found: dict[Path, None] = {}

    def visit(path: Path, trail: tuple[Path, ...]) -> None:
        if path in found:
            return
        if path in trail:
            circle = " → ".join(each.name for each in (*trail[trail.index(path) :], path))
            raise BadInput(
                shown(path), None, f"imports itself: {circle}.", "Move what both need into a file of its own."
            )
        for _, other in module(path).imports:
            visit(other, (*trail, path))
        found[path] = None

    visit(entry.resolve(), ())
    return list(found)


def joined(paths: list[Path], numbers: dict[Path, str], samples: bool = False) -> str:
    """The text of a classic script. numbers: each module's name in the global; samples: keep those of the rules."""
    return "".join(_wrapped(module(path), numbers, samples) for path in paths)


def _wrapped(own: Module, numbers: dict[Path, str], samples: bool) -> str:
    modules = f"{GLOBAL}.modules"
    handed = [f"...{modules}.{numbers[path]}" for what, path in own.imports if what == "*"]
    given = "".join(
        f"const {_destructured(what)} = {modules}.{numbers[path]}\n" for what, path in own.imports if what.strip("*")
    )
    code = own.code if samples else SAMPLES.sub("", own.code)
    name = own.path.relative_to(JS) if own.path.is_relative_to(JS) else own.path.name
    return (
        f"// {name}\n(({GLOBAL} ??= {{}}).modules ??= {{}}).{numbers[own.path]} = (() => {{\n"
        f"{given}{code}\nreturn {{{', '.join([*handed, *own.exports])}}}\n}})();\n"
    )


def _destructured(what: str) -> str:
    return what.removeprefix("* as ") if what.startswith("*") else what.replace(" as ", ": ")


def numbered(chunks: dict[str, Chunk]) -> dict[Path, str]:
    """A short name for each module of all chunks."""
    paths = sorted({path for chunk in chunks.values() for path in chunk.all()})
    return {path: f"m{number}" for number, path in enumerate(paths)}


def whole() -> str:
    """The engine that Python hosts: one script after which `globalThis.ask` answers."""
    paths = ordered(JS / "commands.js")
    numbers = {path: f"m{number}" for number, path in enumerate(paths)}
    return joined(paths, numbers, samples=True) + f"globalThis.ask = {GLOBAL}.modules.{numbers[paths[-1]]}.ask\n"
