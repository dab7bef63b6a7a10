"""A site of other facts: every system has its page, its place in the tool, and its facts."""

import json
import re
import shutil
import sys
from pathlib import Path

import pytest

from scripts.errors import BadInput
from scripts.paths import SNIPPETS, write_whole
from scripts.site.collection import MANY, _put
from scripts.site.server import serve
from tests.facts.test_collection import ANT, folder  # noqa: F401, a fixture
from tests.run import run


@pytest.fixture(scope="module")
def built(folder, tmp_path_factory) -> Path:  # noqa: F811
    facts = tmp_path_factory.mktemp("collection") / "systems"
    shutil.copytree(folder, facts)
    (facts / "centres.yml").write_text("far: {name: Far University, where: Away}\n", encoding="utf-8")
    (facts / "mkdocs.yml").write_text("site_name: GPUs of Far\n", encoding="utf-8")
    write_whole(facts / "docs/a.md/my pic.svg", '<svg xmlns="http://www.w3.org/2000/svg"/>')
    page = '# Über uns\n\n`<a href="foo.html">` <a href="http://[x">x</a>\n\n![A picture](a.md/my%20pic.svg)\n'
    (facts / "docs/broken.md").symlink_to("nowhere")
    (facts / "docs/Über uns.md").write_text(page, encoding="utf-8")
    (facts / "docs/index.md").write_bytes(b"\xef\xbb\xbf# Our home\n")
    done = run(sys.executable, "-m", "scripts.build", env={"GPU_GUIDE_FACTS": str(facts)}, status=0)
    assert done.stdout == f"Open {facts / 'site/index.html'}\n"
    return facts / "site"


def test_each_system_has_its_page_its_place_in_the_tool_and_its_facts(built):
    home = (built / "index.html").read_text(encoding="utf-8")
    assert "<title>GPUs of Far</title>" in home and "Far University" in home
    assert sorted(path.stem for path in (built / "clusters").glob("*.html")) == ["ant", "gnu", "zebra"]
    tool = (built / "jobscript.html").read_text(encoding="utf-8")
    assert re.findall(r'<a href="clusters/(\w+)\.html#one-gpu" id="cluster=(\w+)"', tool) == [
        (key, key) for key in ("ant", "gnu", "zebra")
    ]
    index = json.loads((built / "api/v1/index.json").read_text(encoding="utf-8"))
    assert [each["key"] for each in index["clusters"]] == ["ant", "gnu", "zebra"]
    assert (built / "index.md").read_text(encoding="utf-8") == "# Our home\n", "in place of the made one"
    zebra = (built / "clusters/zebra.md").read_text(encoding="utf-8")
    assert "#SBATCH --gres=gpu:1\n" in zebra and "| NVIDIA A100, 40 GB |" in zebra and "12.5 allocation units" in zebra


def test_a_first_job_comes_with_its_programs_and_the_tool_without_our_repository(built):
    tool, zebra = ((built / page).read_text(encoding="utf-8") for page in ("jobscript.md", "clusters/zebra.md"))
    for file in ("programs/check_gpu.py", "programs/matmul.py", "software/pip_pytorch.sh"):
        assert f"(/snippets/{file})" in tool and f"(/snippets/{file})" in zebra
        assert (built / "snippets" / file).read_bytes() == (SNIPPETS / file).read_bytes()
    assert "## Jupyter { #jupyter }" in zebra and "guide explain ant --" in tool and "reverts it.\n\n## Move" in tool
    assert not [word for word in ("roihu", "retired systems", "repository", "is checked", "\0") if word in tool]


def test_nothing_of_our_systems_is_in_it(built):
    files = {path.name for path in built.rglob("*") if path.is_file()}
    ours = {path.parent.name for path in SNIPPETS.glob("*/cluster.yml")}
    assert not {f"{key}{end}" for key in ours for end in (".html", ".js", ".json", "-more.js")} & files


WRONG = [
    ("docs/new.md", b"# New\n\n[nowhere](gone.md)\n", "gone.md"),
    ("docs/new.md", b"# New\n\n<a href='gone.html'>nowhere</a>\n", "new.html: `gone.html` is not there."),
    ("docs/new.md", b'# New\n\n--8<-- "gone.txt"\n', "docs/new.md:3: there is no file gone.txt to include."),
    ("docs/new.md", b"# Caf\xe9\n", "docs/new.md:1: this is not UTF-8 text."),
    ("mkdocs.yml", b"- site_name\n", "mkdocs.yml:1: this file must be a list of `key: value` lines."),
    ("mkdocs.yml", b"site_name: x\nextra_css: a.css\n", "mkdocs.yml:2: `extra_css` is not a list of `- file` lines."),
]


def test_a_build_that_fails_leaves_the_last_site(built):
    facts, before = built.parent, {path: path.stat().st_mtime_ns for path in built.rglob("*")}
    for file, text, said in WRONG:
        old = (facts / file).read_text(encoding="utf-8") if (facts / file).exists() else None
        (facts / file).write_bytes(text)
        done = run(sys.executable, "-m", "scripts.site", "--into", built, env={"GPU_GUIDE_FACTS": str(facts)})
        (facts / file).write_text(old, encoding="utf-8") if old else (facts / file).unlink()
        assert done.returncode and said in done.stderr and "Traceback" not in done.stderr, done.stderr
    assert {path: path.stat().st_mtime_ns for path in built.rglob("*")} == before


def test_a_folder_that_cannot_be_written_is_told(built):
    fresh = built / "index.html" / "new"
    with pytest.raises(BadInput, match="cannot be written: Not a directory. Nothing has changed"):
        _put(built, fresh)


@pytest.mark.nightly
def test_a_reader_finds_a_system_among_many(visit, tmp_path):
    for number in range(MANY + 1):
        text = ANT.replace("Ant", f"Ant{number}").replace("Somewhere", f"Town {number // 3:02}")
        write_whole(tmp_path / f"ant{number}/cluster.yml", text)
    run(sys.executable, "-m", "scripts.build", env={"GPU_GUIDE_FACTS": str(tmp_path)}, status=0)
    town, systems = "of town 07", ["Ant21", "Ant22", "Ant23"]
    with serve(tmp_path / "site") as server:
        home = f"http://127.0.0.1:{server.server_port}"
        page = visit("index.html", home=home)
        page.get_by_label("Filter systems").fill(town)
        assert page.locator("tbody tr:visible td:first-child").all_inner_texts() == systems
        page = visit("jobscript.html", home=home)
        assert page.locator(".md-nav a[href^='clusters/']").count() == 1, "the navigation names every system"
        page.get_by_label("System: find").fill(town)
        assert page.locator(".own-side select").first.locator("option").all_inner_texts() == systems
        page.keyboard.press("Enter")
        page.wait_for_url("**#cluster=ant21")
        assert {Path(path).name for path in server.sent if "/data/ant" in path} == {"ant0.js", "ant21.js"}, "all facts"
