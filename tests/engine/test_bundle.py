"""The joiner of the engine's modules names the file, the line and the fix of what it cannot join."""

import re
from pathlib import Path

import pytest

from scripts.engine.bundle import joined, ordered
from scripts.engine.host import call
from scripts.errors import BadInput
from scripts.site.after.engine import texts


@pytest.fixture
def write(tmp_path):
    """write(name=text): modules in a folder; the first is the entry."""

    def files(**modules: str) -> Path:
        for name, text in modules.items():
            (tmp_path / f"{name}.js").write_text(text, encoding="utf-8")
        return tmp_path / f"{next(iter(modules))}.js"

    return files


def said(entry: Path) -> str:
    with pytest.raises(BadInput) as fault:
        ordered(entry)
    return str(fault.value)


def test_a_module_stands_behind_what_it_imports(write):
    entry = write(a='import {b as c} from "./b.js"\nexport const a = c + 1\n', b="export const b = 1\n")
    paths = ordered(entry)
    assert [path.name for path in paths] == ["b.js", "a.js"]
    text = joined(paths, {path: path.stem for path in paths})
    assert "const {b: c} = globalThis.jobscript.modules.b\n" in text and "return {a}" in text


def test_a_circle_is_told_with_its_files(write):
    entry = write(a='import "./b.js"\n', b='import {c} from "./c.js"\n', c='import * as a from "./a.js"\n')
    assert "a.js → b.js → c.js → a.js" in said(entry) and "Move what both need into a file of its own." in said(entry)


@pytest.mark.parametrize("line", ["import b from './b.js'", "export default 1", "export {a}", "export let a = 1"])
def test_another_form_of_import_or_export_is_told_with_its_line(write, line):
    told = said(write(a=f"// A module.\n{line}\n", b=""))
    assert "a.js:2: " in told and line in told and "See scripts/engine/bundle.py" in told


def test_a_missing_file_is_told(write):
    told = said(write(a='import {b} from "./b.js"\n'))
    assert "b.js: is imported but does not exist." in told and "Correct the import, or add the file." in told


def test_the_samples_of_rules_are_for_tests_alone():
    assert all(rule["bad"] for rule in call("catalogue"))
    assert [name for name, text in texts().items() if re.search(r"^ +(?:bad|good): \[", text, re.MULTILINE)] == []
