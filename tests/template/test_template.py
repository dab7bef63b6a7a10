"""A center's repository, made from the template: it builds and tests its site with the installed package alone."""

import html
import json
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

import pytest
import yaml

from scripts.engine.data.first_scripts import first_script
from scripts.facts import load_named
from scripts.paths import ROOT, SNIPPETS, write_whole
from scripts.site.own import Words, contrast
from tests.adopt.test_command import ALL, DAY
from tests.repository.test_package import installed, variables_of, wheel  # noqa: F401, fixtures
from tests.repository.test_workflows import WORKFLOWS, actionlint, zizmor
from tests.run import program
from tests.template.rendered import ANSWERS, COPIER, render
from tests.tiers import by_day

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>\n'
WORKFLOW = ".github/workflows/site.yml"


def run(folder: Path, installed: Path, *command: str | Path) -> subprocess.CompletedProcess:  # noqa: F811
    """With pip's packages as in test_package.py; nothing of our repository is on a path."""
    variables = variables_of(folder.parent) | {"PYTHONPATH": str(installed)}
    return subprocess.run(command, cwd=folder, env=variables, capture_output=True, text=True)


def guide(folder: Path, installed: Path, *words: str) -> subprocess.CompletedProcess:  # noqa: F811
    return run(folder, installed, installed / "bin/guide", *words)


def make(folder: Path, installed: Path, *words: str) -> subprocess.CompletedProcess:  # noqa: F811
    return run(folder, installed, "make", *words, f"GUIDE={installed}/bin/guide")


@pytest.fixture(scope="module")
def built(installed, tmp_path_factory) -> tuple[Path, str]:  # noqa: F811
    """A center's repository with two systems, a script, pages and a logo of its own; what `make test` said."""
    folder = render(tmp_path_factory.mktemp("centre") / "guide")
    text = (SNIPPETS / "swift/cluster.yml").read_text(encoding="utf-8")
    text = text.replace("name: Swift", "name: Zebra").replace("centre: nlr", "centre: far")
    write_whole(folder / "zebra/cluster.yml", text)
    (folder / "asked.txt").write_text("\n".join(ALL), encoding="utf-8")
    adopted = guide(folder, installed, "adopt", "Hawk", "asked.txt", "--into", ".")
    assert adopted.returncode == 0 and "Open questions: " in adopted.stdout, adopted.stderr
    (folder / "zebra/one_gpu.sh").write_text(
        first_script(load_named("swift"), "one_gpu") + "# ours\n", encoding="utf-8"
    )
    for name, text in {
        "assets/logo.svg": LOGO,
        "learn/fast.md": "# Go fast\n\nSee [Zebra](../clusters/zebra.md#ours).\n",
        "clusters/zebra.md": "## Only here { #ours }\n\nStripes.\n",
    }.items():
        write_whole(folder / "docs" / name, text)
    words = (folder / "words.yml").read_text(encoding="utf-8")
    (folder / "words.yml").write_text(words.replace("# systems: Systems", "systems: Our machines"), encoding="utf-8")
    done = make(folder, installed, "test")
    assert done.returncode == 0, done.stdout + done.stderr
    return folder, done.stdout


def test_it_is_built_and_tested_with_the_package_alone(built, installed):  # noqa: F811
    folder, said = built
    assert "Clusters: 2, " in said and "Zebra: 1 not judged. Checked 1 script, with" in said and "Open " in said
    assert "hawk: no job scripts" in said
    assert not (folder / ".venv").exists()
    files = {path.relative_to(installed).as_posix() for path in (installed / "gpu_cluster_guide").rglob("*")}
    assert not [name for name in files if name.startswith(("gpu_cluster_guide/build", "gpu_cluster_guide/site"))]
    ours = {path.name for path in (ROOT / "docs").rglob("*") if path.is_file()} - {"index.md"}
    copied = {path.name for path in folder.rglob("*") if "site" not in path.relative_to(folder).parts}
    assert not ours & copied


def test_it_has_the_centers_name_words_rooms_pages_colors_and_logo(built):
    site = built[0] / "site"
    home = html.unescape((site / "index.html").read_text(encoding="utf-8"))
    assert f"<title>GPUs at {ANSWERS['name']}</title>" in home
    assert 'src="assets/logo.svg"' in home and (site / "assets/logo.svg").read_text(encoding="utf-8") == LOGO
    tabs = re.findall(r'md-tabs__link">\s*([^<]+?)\s*<', home)
    assert tabs == ["Home", "Job script tool", "Our machines", "Learn", "About", "Glossary"]
    style = (site / "assets/colors.css").read_text(encoding="utf-8")
    assert "--md-typeset-a-color:#036;" in style.replace("#003366", "#036") and "#9ec5ff" in style
    assert home.index("assets/guide.css") < home.index("assets/colors.css")
    zebra = (site / "clusters/zebra.html").read_text(encoding="utf-8")
    assert zebra.index('id="sources"') < zebra.index('id="ours"') and "# ours" in zebra
    assert "https://example.org/far/guide/issues/new?" in zebra and "Edit this page" not in zebra
    hawk = (site / "clusters/hawk.html").read_text(encoding="utf-8")
    assert "not known yet" in hawk and f'href="../snippets/hawk/captures/{DAY}.txt"' in hawk
    assert (site / f"snippets/hawk/captures/{DAY}.txt").read_bytes() == (
        built[0] / f"hawk/captures/{DAY}.txt"
    ).read_bytes()
    feed = (site / "changes.xml").read_text(encoding="utf-8")
    assert "<title>GPUs at Far" in feed


WRONG = [
    ("words.yml", "# home:", "hom:", "`hom` is not a key the model knows. Did you mean `home`?"),
    ("mkdocs.yml", "assets/logo.svg", "assets/lgo.svg", "index.html: `assets/lgo.svg` is not there."),
    ("zebra/one_gpu.sh", "--gres=gpu:1", "--gres=gpu:9", "1 refused"),
    ("mkdocs.yml", "#003366", "#99ccff", "the light color has a contrast of 1.7 with the page. Choose a darker one"),
    ("mkdocs.yml", '"#003366"', "blue", "`colors` needs two colors."),
    ("mkdocs.yml", "theme:\n ", "theme: material #", "`theme` is not a list of `key: value` lines."),
]


@pytest.mark.parametrize("file, old, new, said", by_day(WRONG, [*WRONG[:2], WRONG[3]]))
def test_what_is_wrong_ends_make_test(built, installed, tmp_path, file, old, new, said):  # noqa: F811
    shutil.copytree(built[0], tmp_path / "guide")
    text = (tmp_path / "guide" / file).read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "guide" / file).write_text(text.replace(old, new), encoding="utf-8")
    done = make(tmp_path / "guide", installed, "test")
    assert done.returncode == 2 and said in done.stdout + done.stderr, done.stdout + done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("refused", "abc")
def test_one_refused_system_fails_them_all(tmp_path, refused):
    folder = render(tmp_path / "guide")
    for key in "abc":
        write_whole(folder / key / "cluster.yml", "")
        write_whole(folder / key / "a.sh", "")
    program(folder / "guide", f'[ "$1 $2" != "check {refused}" ]')
    done = subprocess.run(["make", "test", "GUIDE=./guide"], cwd=folder, capture_output=True, text=True)
    assert done.returncode == 2, done.stdout + done.stderr


def test_a_build_removes_nothing_else(built, installed):  # noqa: F811
    before = sorted(built[0].rglob("*"))
    for into, said in ((".", "contains other files"), ("docs", "contains other files"), ("docs/site", "outside docs/")):
        done = guide(built[0], installed, "site", "--facts", ".", "--into", into)
        assert done.returncode == 2 and said in done.stderr
    assert sorted(built[0].rglob("*")) == before


def test_the_example_is_a_system_that_the_facts_accept(installed, tmp_path):  # noqa: F811
    folder = render(tmp_path / "guide", example=True, logo="", repository="", address="https://example.org/gpu")
    done = make(folder, installed, "test")
    assert done.returncode == 0 and "Clusters: 1, " in done.stdout, done.stderr
    assert "because this is an example" in (folder / "site/clusters/example.html").read_text(encoding="utf-8")
    assert "https://example.org/gpu/" in (folder / "site/changes.xml").read_text(encoding="utf-8")


def test_its_words_are_those_of_the_package(tmp_path):
    lines = (render(tmp_path) / "words.yml").read_text(encoding="utf-8").splitlines()
    said = yaml.safe_load("\n".join(line.removeprefix("# ") for line in lines[2:]))
    assert {"title": Words().title, **said} == json.loads(Words().model_dump_json())
    assert min(contrast(COPIER["light"]["default"], "#ffffff"), contrast(COPIER["dark"]["default"], "#1e2129")) > 4.5
    version = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["version"]
    assert f"=={version}{{%" in COPIER["package"]["default"]


def test_its_workflow_is_well_formed_and_safe(tmp_path):
    file = render(tmp_path) / WORKFLOW
    assert actionlint(file) == []
    zizmor(file)
    text, ours = file.read_text(encoding="utf-8"), "".join(path.read_text(encoding="utf-8") for path in WORKFLOWS)
    pins = re.findall(r"uses: (\S+ # \S+)", text)
    assert len(pins) == 3 and all(pin in ours for pin in pins)
    assert (
        yaml.safe_load(text)["jobs"]["publish"]["if"]
        == "github.event_name == 'push' && github.ref == 'refs/heads/main'"
    )
