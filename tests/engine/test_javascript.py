"""The JavaScript is formatted, its types fit, the linter finds nothing, and its own tests pass."""

import json
import os
from pathlib import Path

import pytest

from scripts.engine import data
from scripts.engine.bundle import JS
from scripts.facts import load_all
from scripts.paths import ROOT
from tests.needs import need
from tests.run import run

VENV = ROOT / ".venv"
TOOLS = VENV / "node_modules/.bin"  # the Makefile installs them
CACHE = "--cache-location=.cache/prettier"  # what has not changed since the last run is not read again


def said_by(*command: str | Path, folder: Path = ROOT, **more: str) -> str:
    """What a program says if it fails; nothing if it does not."""
    done = run(*command, cwd=folder, env={"PATH": f"{VENV / 'bin'}:{os.environ['PATH']}"} | more)
    return done.stdout + done.stderr if done.returncode else ""


@pytest.mark.parametrize(
    "command, folder",
    [
        (["prettier", "--check", "--log-level=warn", "--cache", "--cache-strategy=content", CACHE, "."], ROOT),
        (["tsc"], JS),
        (["biome", "lint", "--error-on-warnings"], JS),
    ],
    ids=["prettier", "tsc", "biome"],
)
def test_a_tool_finds_nothing(command, folder):
    if not (TOOLS / command[0]).exists():
        need(command[0], command[0])
    assert said_by(TOOLS / command[0], *command[1:], folder=folder) == ""


def test_a_minified_script_uses_nothing_before_its_declaration(site):
    """minify-go 2.24 puts `const [b] = (a && f(a)) || []` before the `const a` of the line above."""
    if not (TOOLS / "tsc").exists():
        need("tsc", "tsc")
    files = [
        *site.glob("assets/*.js"),
        *site.glob("assets/your-script/joined/*.js"),
        *site.glob("assets/my-account/*.js"),
    ]
    options = "--allowJs --checkJs --noEmit --skipLibCheck --target es2022 --lib es2022,dom --moduleDetection force"
    told = said_by(
        TOOLS / "tsc", *options.split(), "--types", "", *files
    )  # also that types do not fit, without our comments
    assert len(files) > 10 and "error TS" in told
    assert [line for line in told.splitlines() if " TS2448: " in line or " TS2454: " in line] == []


def test_the_units(tmp_path):
    known = {"data": data.common(), "systems": {key: data.system(cluster) for key, cluster in load_all().items()}}
    facts = tmp_path / "facts.json"
    facts.write_text(json.dumps(known), encoding="utf-8")
    units = [f'import "./{file.relative_to(JS)}"' for file in JS.rglob("*.test.js")]
    one = ("--input-type=module", "--eval", ";".join(units))  # `--test` starts a process for each file
    assert said_by(VENV / "bin/node", *one, folder=JS, ENGINE_FACTS=str(facts)) == ""
