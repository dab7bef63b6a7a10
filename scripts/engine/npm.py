"""Write the engine as an npm package: `python -m scripts.engine.npm FOLDER`; then `npm pack FOLDER`.

It judges, writes, moves and explains with all that it knows: `require("gpu-cluster-guide").judge(systems.roihu, text)`.
"""

import json
import tomllib
from pathlib import Path

from scripts.engine import data
from scripts.errors import parser_of, run
from scripts.facts import load_all
from scripts.paths import ROOT, write_whole
from scripts.site.after.api import engine

INDEX = """\
const jobscript = require("./engine.js")
Object.assign(jobscript.data, require("./data.json"))
Object.assign(jobscript.systems, require("./systems.json"))
module.exports = jobscript
"""


def files() -> dict[str, str]:
    """Name -> text of the package's files; its version is that of the Python package."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    about = {name: project[name] for name in ("name", "version", "description")}
    systems = {key: data.system(cluster) for key, cluster in load_all().items()}
    return {
        "package.json": json.dumps(about | {"license": "MIT", "main": "index.js"}, indent=2) + "\n",
        "index.js": INDEX,
        "engine.js": engine(),
        "data.json": json.dumps(data.common(), ensure_ascii=False),
        "systems.json": json.dumps(systems, ensure_ascii=False),
        "LICENSE": (ROOT / "LICENSE").read_text(encoding="utf-8"),
    }


def main() -> None:
    parser = parser_of("python -m scripts.engine.npm", __doc__)
    parser.add_argument("folder", type=Path, help="made if need be")
    for name, text in files().items():
        write_whole(parser.parse_args().folder / name, text)


if __name__ == "__main__":
    run(main)
