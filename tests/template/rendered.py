"""A center's repository as the template gives it, rendered by Jinja alone: Copier itself runs at night."""

from pathlib import Path

import jinja2
import yaml

from scripts.paths import ROOT, write_whole

COPIER = yaml.safe_load((ROOT / "copier.yml").read_text(encoding="utf-8"))
TEMPLATE = ROOT / COPIER["_subdirectory"]
ANSWERS = {
    "name": 'Far O\'Way: "GPU" Lab',
    "key": "far",
    "where": "Nowhere",
    "logo": "assets/logo.svg",
    "example": False,
    "package": "gpu-cluster-guide[site]",
}
ANSWERS |= {"repository": "https://example.org/far/guide", "light": "#003366", "dark": "#9ec5ff"}


def render(folder: Path, **answers: object) -> Path:
    """Into this folder, with the answers above, these, and the defaults of all other questions."""
    asked = {name: each.get("default") for name, each in COPIER.items() if not name.startswith("_")}
    known = asked | ANSWERS | answers
    known |= {"_copier_answers": known, "_copier_conf": {"answers_file": ".copier-answers.yml"}}
    jinja = jinja2.Environment(keep_trailing_newline=True, undefined=jinja2.StrictUndefined)
    jinja.filters["to_nice_yaml"] = yaml.safe_dump
    for path in filter(Path.is_file, TEMPLATE.rglob("*")):
        parts = [jinja.from_string(part).render(known) for part in path.relative_to(TEMPLATE).parts]
        text = path.read_text(encoding="utf-8")
        if all(parts):
            text = jinja.from_string(text).render(known) if path.suffix == ".jinja" else text
            write_whole(folder / "/".join(parts).removesuffix(".jinja"), text)
    return folder
