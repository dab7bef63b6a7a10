"""A site for another collection of facts: a page for each of its systems, and the tool that writes, checks and moves
job scripts.

Each system's page has what follows from its facts: tables, and a first job. The lessons, the lists of messages and the
workshop are about our systems; links to them give way to their words. own.py has what the collection adds.
"""

import html
import os
import posixpath
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import unquote

import yaml

from scripts.engine.data.guide_scripts import lines_of
from scripts.errors import BadInput, refuse
from scripts.facts import load_all
from scripts.facts.centres import load_centres
from scripts.git import commit_time
from scripts.markdown import INCLUDE, table
from scripts.paths import DOCS, FACTS, ROOT, SNIPPETS, shown, write_whole
from scripts.site import after, own
from scripts.site.after import api, csp, engine, feed, index, lean, my_account
from scripts.site.config import BUILD, mkdocs_yml
from scripts.tables import cluster as of_one
from scripts.tables import glossary
from scripts.tables.cluster import Cluster, Clusters, link

STEPS = [index.write, engine.write, my_account.write, api.write, feed.write, lean.write, csp.write]
TOOL = "jobscript.md"
OWN_PAGES = (TOOL, "learn/glossary.md")  # of our pages, those that suit any system
EXTENSIONS = re.compile(r"scripts\.(evidence|families)\.")  # they look for our scripts and pages
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\((/?[^)#:]*\.(?:md|ipynb))?(#[^)]*)?\)(\{[^}]*\})?")
SENTENCE = re.compile(r"(?<=[.>])(?=\s)|(?<=\n\n)")  # with the space before it
DEAD = "\0"
OFFERED = ("programs/check_gpu.py", "programs/matmul.py", "software/pip_pytorch.sh")  # to which own.py links
ADDRESS = re.compile(r"""<[^<>]*\s(?:href|src)=(["'])(.*?)\1""")
# Its word in own.py -> its id, as on our pages, and the tables below it.
MANY = 30  # systems: of more, the home page has a filter, and only a system's page has the whole navigation
PARTS = {
    "glance": ("at-a-glance", ("glance",)),
    "first": ("one-gpu", ("first",)),
    "access": ("access", ("at-a-glance",)),
    "limits": (of_one.LIMITS, ("rules", "gpus", "partitions")),
    "costs": ("what-it-costs", ("costs",)),
    "software": ("software", ("software",)),
    "data": ("data", ("storage",)),
    "jupyter": ("jupyter", ("jupyter",)),
    "editor": ("an-editor", ("editor",)),
    "monitoring": ("watch-it", ("monitoring",)),
    "sources": ("sources", ("sources",)),
}


def of_system(cluster: Cluster, clusters: Clusters, said: own.Words) -> str:
    """Its page. A part of which the facts say nothing is left out."""
    of_it = of_one.TABLES | (of_one.OF_RUNNING if cluster.running else {})
    of_it = {name: make for name, make in of_it.items() if cluster.gpus or name != "glance.md"}
    made = {name.removesuffix(".md"): make(cluster, clusters) for name, make in of_it.items()}
    if cluster.running:
        lines = lines_of(cluster, "one_gpu" if cluster.gpus else "many_cpus")
        more = f"[{said.write_another}](/jobscript.md#cluster={cluster.key})."
        script = ["```bash", *lines, "```", *_needed(lines, said), ""] if lines else []
        made["first"] = "\n".join([*script, more])
    made["gpus"] = made["gpus"] if cluster.gpus else ""
    made["glance"] = made.get("glance", "").partition('<div class="kinds"')[0]  # links to kinds of jobs
    parts = [f"# {cluster.name}", made["status"]]
    for part, (anchor, names) in PARTS.items():
        texts = [text for name in names if (text := made.get(name, "").strip())]
        unsearched = " data-search-exclude" if part == "sources" else ""
        parts += [f"## {getattr(said, part)} {{ #{anchor}{unsearched} }}", *texts] if texts else []
    return "\n\n".join(parts) + "\n"


def _needed(lines: list[str], said: own.Words) -> list[str]:
    """Where to get what these lines of scripts start."""
    signs = {"matmul.py": said.programs, "/pytorch-gpu/bin": said.environment}
    return [f"\n{words}\n" for sign, words in signs.items() if sign in "\n".join(lines)]


def pages(clusters: Clusters, said: own.Words) -> dict[str, str]:
    """Every page that is made, by its place below docs/."""
    listed, rows = [], []
    for key, each in clusters.items():
        part = "one-gpu" if each.running else ""  # as the tool knows a system that runs
        listed.append(f'- {link(each, part)}{{ id="cluster={key}" }}, {each.operator}')
        models = ", ".join(dict.fromkeys(gpu.model for gpu in each.gpus.values()))
        rows.append((link(each), each.operator, models, each.status.state))
    included = {"scripts-of-systems.md": "\n".join(listed), "glossary.md": glossary.glossary()}
    made = {name: (DOCS / name).read_text(encoding="utf-8") for name in OWN_PAGES}
    lines = [line for each in clusters.values() if each.running for line in lines_of(each, "one_gpu")]
    made[TOOL] = made[TOOL].replace("./guide explain roihu", f"guide explain {next(iter(clusters))}")
    made[TOOL] = made[TOOL].replace("## Check a script", "\n".join([*_needed(lines, said), "## Check a script"]))
    made = {name: INCLUDE.sub(lambda found: included[Path(found["path"]).name], text) for name, text in made.items()}
    made |= {f"clusters/{key}.md": of_system(each, clusters, said) for key, each in clusters.items()}
    head = [f"# {said.title}", *([said.intro] if said.intro else []), f"[{said.use_the_tool}](/jobscript.md)"]
    if len(clusters) > MANY:
        head.append(f'<script src="assets/filter.js" data-rows="{html.escape(said.find)}"></script>')
    made["index.md"] = "\n\n".join([*head, table(said.columns, rows)]) + "\n"
    there = own.join(made)
    return {name: _without_dead_links(name, text, there) for name, text in made.items()}


def _without_dead_links(page: str, text: str, made: dict[str, str]) -> str:
    """The words alone, where a link leads to what this site has not; of the tool's page not even the sentence."""

    def kept(found: re.Match) -> str:
        path, part = found[2] or f"/{page}", found[3] or ""
        target = path[1:] if path.startswith("/") else posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        there = target in made and (not part or "=" in part or f"{{ {part} " in made[target])
        return found[0] if there else found[1] + DEAD

    text = LINK.sub(kept, text)
    if page == TOOL:
        text = "".join(each for each in SENTENCE.split(text) if DEAD not in each)
    return text.replace(DEAD, "")


def configuration(clusters: Clusters, folder: Path, pages: list[str], said: own.Words) -> tuple[dict, str]:
    """mkdocs.yml of it, with its own navigation, and its style."""
    data = mkdocs_yml().data
    centres = {key: each.name for key, each in load_centres().items()}
    nav: dict[str, list] = {}
    for key, each in clusters.items():
        nav.setdefault(centres.get(each.centre, each.operator), []).append({each.name: f"clusters/{key}.md"})
    systems = [{name: of_it} for name, of_it in nav.items()]
    theme = data["theme"] | {"custom_dir": str(ROOT / data["theme"]["custom_dir"])}
    if len(clusters) > MANY:
        theme["features"] = [*theme["features"], "navigation.prune"]
    return own.settings(
        data
        | {
            "docs_dir": str(folder / "docs"),
            "nav": [
                {said.home: "index.md"},
                {said.tool: OWN_PAGES[0]},
                *own.navigation(systems, pages, said),
                {said.glossary: OWN_PAGES[1]},
            ],
            "theme": theme,
            "edit_uri": "",  # most pages are made
            "plugins": ["search"],
            "hooks": [],
            "watch": [],
            "markdown_extensions": [each for each in data["markdown_extensions"] if not EXTENSIONS.match(str(each))],
        }
    )


def keep_other_files(site: Path) -> None:
    """Raise BadInput for a folder that no build has written."""
    if site.exists() and any(site.iterdir()) and not (site / api.API).is_dir():
        raise BadInput(site, None, "this folder contains other files, which a build would remove.", "Name a new one.")


def build(site: Path) -> int:
    """Write the site into this folder, and give MkDocs' status. Raises BadInput for a dead link."""
    keep_other_files(site)
    if own.PAGES.resolve() in site.resolve().parents:
        raise BadInput(site, None, "the next build would read this site as pages.", "Name a folder outside docs/.")
    clusters, said = load_all(), own.words()
    made = pages(clusters, said)
    every = own.join(made)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        built = folder / "site"  # what fails or is interrupted leaves the last site as it was
        settings, style = configuration(clusters, folder, [page for page in every if page not in made], said)
        copies = {DOCS / "assets": "assets", own.PAGES: ""}
        copies |= {FACTS / key / "captures": f"snippets/{key}/captures" for key in clusters}  # as tables name sources
        for files, target in copies.items():
            if files.is_dir():
                shutil.copytree(files, folder / "docs" / target, dirs_exist_ok=True, ignore_dangling_symlinks=True)
        for file in OFFERED:
            write_whole(folder / "docs/snippets" / file, (SNIPPETS / file).read_text(encoding="utf-8"))
        for page, text in (every | ({own.STYLE: style} if style else {})).items():
            write_whole(folder / "docs" / page, text)
        (folder / "mkdocs.yml").write_text(yaml.safe_dump(settings), encoding="utf-8")
        command = [sys.executable, *BUILD, "-f", folder / "mkdocs.yml", "-d", built]
        variables = os.environ | {"SOURCE_DATE_EPOCH": commit_time(), "NO_MKDOCS_2_WARNING": "1"}
        if status := subprocess.call(command, cwd=ROOT, env=variables):
            return status
        for page in every:
            shutil.copy(folder / "docs" / page, built / page)
        after.take(built, STEPS)
        _refuse_dead_links(built)
        _put(built, site)
    print(f"Open {shown(site / 'index.html')}")
    return 0


def _put(built: Path, site: Path) -> None:
    """In place of what the folder holds; a copy beside it is whole before anything goes."""
    fresh = site.resolve().with_name(f".{site.resolve().name}.part")
    try:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.copytree(built, fresh)
        site.mkdir(exist_ok=True)
    except (OSError, shutil.Error) as fault:  # the latter of each file that failed
        shutil.rmtree(fresh, ignore_errors=True)
        what = f"the site cannot be written: {fault.strerror or 'not all files fit'}. Nothing has changed."
        raise BadInput(site, None, what, "Free some space, or name another folder with --into.") from None
    for old in site.iterdir():
        shutil.rmtree(old) if old.is_dir() and not old.is_symlink() else old.unlink()
    for new in fresh.iterdir():
        shutil.move(new, site)
    fresh.rmdir()


def _refuse_dead_links(site: Path) -> None:
    """Raise BadInput for addresses in HTML, which MkDocs does not look at."""
    dead = []
    for page in sorted(site.rglob("*.html")):
        text = page.read_text(encoding="utf-8") if page.name != "404.html" else ""
        for found in dict.fromkeys(html.unescape(each) for _, each in ADDRESS.findall(text)):
            target = re.split("[?#]", found)[0]
            if not (":" in target or target.startswith("//") or (page.parent / unquote(target)).exists()):
                what = f"`{unquote(target)}` is not there."
                dead.append(BadInput(page.relative_to(site), None, what, "Correct the link, or add the file to docs/."))
    refuse(dead)
