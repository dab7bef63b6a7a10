"""A site for another collection of facts: a page for each of its systems, and the tool that writes, checks and moves
job scripts.

Each system's page has what follows from its facts: tables, and a first job. The lessons, the lists of messages and the
workshop are about our systems; links to them give way to their words. DIR/mkdocs.yml may name the site, give it an
address, or another theme.
"""

from __future__ import annotations

import argparse
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import yaml

from scripts.engine.data.guide_scripts import lines_of
from scripts.facts import load_all
from scripts.facts.centres import load_centres
from scripts.markdown import INCLUDE, table
from scripts.paths import DOCS, FACTS, ROOT, shown, write_whole
from scripts.site import after
from scripts.site.after import api, csp, engine, feed, index, lean, my_account
from scripts.site.build import commit_time
from scripts.site.config import mkdocs_yml
from scripts.tables import cluster as of_one
from scripts.tables import glossary
from scripts.tables.cluster import Cluster, Clusters, link

STEPS = [index.write, engine.write, my_account.write, api.write, feed.write, lean.write, csp.write]
OWN_PAGES = ("jobscript.md", "learn/glossary.md")  # of our pages, those that suit any system
EXTENSIONS = re.compile(r"scripts\.(evidence|families)\.")  # they look for our scripts and pages
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((/?[^)#:]*\.(?:md|ipynb))?(#[^)]*)?\)(\{[^}]*\})?")
TOOL = "[Write or check a job script](/jobscript.md)"
# Heading with its id -> the tables below it; as on our pages.
PARTS = {
    "At a glance { #at-a-glance }": ("glance",),
    "A first job { #one-gpu }": ("first",),
    "Access, login and hardware { #access }": ("at-a-glance",),
    f"Required options, partitions and time limits {{ #{of_one.LIMITS} }}": ("rules", "gpus", "partitions"),
    "Billing and costs { #what-it-costs }": ("costs",),
    "Software { #software }": ("software",),
    "Storage and data { #data }": ("storage",),
    "Monitoring { #watch-it }": ("monitoring",),
    "Sources { #sources data-search-exclude }": ("sources",),
}


def of_system(cluster: Cluster, clusters: Clusters) -> str:
    """Its page. A part of which the facts say nothing is left out."""
    of_it = of_one.TABLES | (of_one.OF_RUNNING if cluster.running and cluster.gpus else {})
    made = {name.removesuffix(".md"): make(cluster, clusters) for name, make in of_it.items()}
    if cluster.running:
        lines = lines_of(cluster, "one_gpu" if cluster.gpus else "many_cpus")
        more = f"[Write another one, or check your own](/jobscript.md#cluster={cluster.key})."
        made["first"] = "\n".join(["```bash", *lines, "```", "", more] if lines else [more])
    made["gpus"] = made["gpus"] if cluster.gpus else ""
    made["glance"] = made.get("glance", "").partition('<div class="kinds"')[0]  # links to kinds of jobs
    parts = [f"# {cluster.name}", made["status"]]
    for heading, names in PARTS.items():
        texts = [text for name in names if (text := made.get(name, "").strip())]
        parts += [f"## {heading}", *texts] if texts else []
    return "\n\n".join(parts) + "\n"


def pages(clusters: Clusters) -> dict[str, str]:
    """Every page by its place below docs/."""
    listed, rows = [], []
    for key, each in clusters.items():
        part = "one-gpu" if each.running else ""  # as the tool knows a system that runs
        listed.append(f'- {link(each, part)}{{ id="cluster={key}" }}, {each.operator}')
        rows.append((link(each), each.operator, ", ".join(gpu.model for gpu in each.gpus.values()), each.status.state))
    included = {"scripts-of-systems.md": "\n".join(listed), "glossary.md": glossary.glossary()}
    made = {name: (DOCS / name).read_text(encoding="utf-8") for name in OWN_PAGES}
    made = {name: INCLUDE.sub(lambda found: included[Path(found["path"]).name], text) for name, text in made.items()}
    made |= {f"clusters/{key}.md": of_system(each, clusters) for key, each in clusters.items()}
    made["index.md"] = f"# GPU systems\n\n{TOOL}\n\n{table(('System', 'Operator', 'GPUs', 'State'), rows)}"
    return {name: _without_dead_links(name, text, made) for name, text in made.items()}


def _without_dead_links(page: str, text: str, made: dict[str, str]) -> str:
    """The words alone, where a link leads to a page or a part of a page that this site has not."""

    def kept(found: re.Match) -> str:
        path, part = found[2] or f"/{page}", found[3] or ""
        target = path[1:] if path.startswith("/") else posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        there = target in made and (not part or "=" in part or f"{{ {part} " in made[target])
        return found[0] if there else found[1]

    return LINK.sub(kept, text)


def configuration(clusters: Clusters, folder: Path) -> dict:
    """mkdocs.yml of it: ours with its own navigation, and with what the collection's own says otherwise."""
    data, own = mkdocs_yml().data, {}
    if (file := FACTS / "mkdocs.yml").is_file():
        own = mkdocs_yml(file).data
    centres = {key: each.name for key, each in load_centres().items()}
    nav: dict[str, list] = {}
    for key, each in clusters.items():
        nav.setdefault(centres.get(each.centre, each.operator), []).append({each.name: f"clusters/{key}.md"})
    systems = [{name: of_it} for name, of_it in nav.items()]
    extensions = [each for each in data["markdown_extensions"] if not EXTENSIONS.match(str(each))]
    return data | {
        "docs_dir": str(folder / "docs"),
        "nav": [
            {"Home": "index.md"},
            {"Job script tool": "jobscript.md"},
            {"Systems": systems},
            {"Glossary": OWN_PAGES[1]},
        ],
        "theme": data["theme"] | {"custom_dir": str(ROOT / data["theme"]["custom_dir"])} | own.pop("theme", {}),
        "extra": {"generator": False},
        "plugins": ["search"],
        "hooks": [],
        "watch": [],
        "markdown_extensions": extensions,
        **own,
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.build", description=__doc__)
    parser.add_argument("--site-dir", type=Path, default=FACTS / "site", help="where to write (default: %(default)s)")
    site = parser.parse_args().site_dir.absolute()
    clusters = load_all()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for page, text in pages(clusters).items():
            write_whole(folder / "docs" / page, text)
        shutil.copytree(DOCS / "assets", folder / "docs/assets")
        (folder / "mkdocs.yml").write_text(yaml.safe_dump(configuration(clusters, folder)), encoding="utf-8")
        command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", folder / "mkdocs.yml", "--site-dir", site]
        if status := subprocess.call(command, cwd=ROOT, env=os.environ | {"SOURCE_DATE_EPOCH": commit_time()}):
            return status
        for page in pages(clusters):
            shutil.copy(folder / "docs" / page, site / page)
    after.take(site, STEPS)
    print(f"Open {shown(site / 'index.html')}")
    return 0
