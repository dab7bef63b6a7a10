"""The pages as written: everything is shown, nothing is typed twice, names are spelled one way."""

import re

import pytest

from scripts import facts
from scripts.markdown import INCLUDE
from scripts.paths import DOCS, ROOT
from scripts.site.build import check_page
from scripts.site.config import mkdocs_yml
from tests.site import pages
from tests.site.pages import CLUSTER_PAGES, IDS, PAGES, TEXT

CLUSTERS = facts.load_all()
RETIRED = [cluster for cluster in CLUSTERS.values() if not cluster.running]
each_page = pytest.mark.parametrize("page", PAGES, ids=IDS)
each_cluster_page = pytest.mark.parametrize("page", CLUSTER_PAGES, ids=[page.stem for page in CLUSTER_PAGES])


def included() -> set[str]:
    return {name for page in PAGES for name in pages.included(page)}


# Facts, and the job script for those who measure: it needs the whole repository, so no reader copies it.
NOT_SHOWN = {"cluster.yml", "limits.yml", "claims.yml", "validate.sh"}


def snippet_files() -> set[str]:
    """Every file that exists to be shown: scripts, programs, outputs, tables."""
    found = set()
    for path in (ROOT / "snippets").rglob("*"):
        if (
            path.suffix in (".sh", ".py", ".out", ".md", ".yml")
            and path.name not in NOT_SHOWN
            and "notebooks" not in path.parts
        ):
            found.add(str(path.relative_to(ROOT)))
    return found


def test_every_snippet_is_shown_on_a_page():
    assert snippet_files() - included() == set()


def test_every_include_names_a_file():
    assert {name for name in included() if not (ROOT / name).is_file()} == set()


def test_every_cluster_has_the_same_scripts():
    for key, cluster in CLUSTERS.items():
        there = {path.name for path in (ROOT / "snippets" / key).glob("*.sh")}
        wanted = {"one_gpu.sh", "many_cpus.sh", "interactive.sh"} | (
            {"full_node.sh", "validate.sh"} if cluster.running else set()
        )
        assert wanted <= there, f"snippets/{key} lacks {wanted - there}"


@each_page
def test_fences_hold_one_include_or_are_typed_for_a_reason(page):
    """What a typed fence may be is the collector's to judge; here: an include stands alone in its fence."""
    for fence in re.findall(r"^[ ]*```[^\n]*\n(.*?)^[ ]*```\s*$", TEXT[page], re.MULTILINE | re.DOTALL):
        if INCLUDE.search(fence):
            assert len(fence.strip().splitlines()) == 1, f"{page}: an include shares its fence: {fence}"


@each_page
def test_nothing_on_the_page_would_vanish_or_break(page):
    """What `make site` refuses, told for every page at once: line ends, fences, options, includes."""
    check_page(page)


@each_page
def test_tabs_carry_cluster_names(page):
    names = {cluster.name for cluster in CLUSTERS.values()}
    for number, line in enumerate(TEXT[page].splitlines(), 1):
        if match := re.match(r'\s*===[!+]?\s+"(.*)"', line):
            assert match[1] in names, f"{page.relative_to(ROOT)}:{number}: the tab {match[1]!r} is no cluster's name."


def banner_before(text: str, script: str, key: str) -> bool:
    """Does the banner stand above this include, in the same tab or under the same heading?"""
    before = text[: text.index(f'"snippets/{script}"')]
    part = re.split(r"(?m)^(?:===|##? )", before)[-1]
    return f"snippets/made/tables/{key}/status.md" in part


@pytest.mark.parametrize("cluster", RETIRED, ids=lambda cluster: cluster.key)
def test_a_retired_cluster_carries_its_banner(cluster):
    text = TEXT[DOCS / "clusters" / f"{cluster.page}.md"]
    for script in ("one_gpu.sh", "many_cpus.sh", "interactive.sh"):
        assert banner_before(text, f"{cluster.key}/{script}", cluster.key), (
            f"{script} of {cluster.name} has no banner above it"
        )


BESIDE_ITS_SUCCESSOR = [
    (CLUSTERS[cluster.status.successor], cluster)
    for cluster in RETIRED
    if cluster.status.successor in CLUSTERS and CLUSTERS[cluster.status.successor].page == cluster.page
]


@pytest.mark.parametrize("successor, cluster", BESIDE_ITS_SUCCESSOR, ids=lambda cluster: cluster.key)
def test_the_successors_script_comes_first(successor, cluster):
    text = TEXT[DOCS / "clusters" / f"{cluster.page}.md"]
    assert text.index(f"snippets/{successor.key}/one_gpu.sh") < text.index(f"snippets/{cluster.key}/one_gpu.sh")


PARTS = ["At a glance", "Submit a GPU job", "Software", "Watch it run", "Storage", "What differs here", "Sources"]


@each_cluster_page
def test_cluster_pages_have_the_same_parts_in_the_same_order(page):
    assert re.findall(r"(?m)^## (.+)$", TEXT[page]) == PARTS


def prose(text: str) -> list[tuple[int, str]]:
    """Lines that are neither front matter, code, includes, nor tables; inline code and links' targets removed."""
    lines, fenced, front = [], False, text.startswith("---\n")
    for number, line in enumerate(text.splitlines(), 1):
        if front:
            front = not (number > 1 and line == "---")
            continue
        if re.match(r"\s*```", line):
            fenced = not fenced
            continue
        if not fenced and "--8<--" not in line and not line.lstrip().startswith("|"):
            lines.append((number, re.sub(r"`[^`]*`|\]\([^)]*\)", "", line)))
    return lines


UNITS = r"(?:[KMGT]i?B|[Tt]erabytes?|[Gg]igabytes?|hours?|h|days?|minutes?|min|cores?|CPUs?|GPUs?|nodes?|jobs?|cards?)"


@each_cluster_page
def test_prose_repeats_no_limit_count_or_size(page):
    """On a cluster's page such a number belongs to the facts, and reaches the page by a table."""
    for number, line in prose(TEXT[page]):
        found = re.search(rf"\b\d[\d,.]*[ -]?{UNITS}\b", line)
        assert not found, (
            f"{page.relative_to(ROOT)}:{number}: `{found[0]}` is typed into the page; "
            "put it into the facts and refer to the table."
        )


def limits(cluster) -> set[str]:
    """The memory sizes and walltimes of a cluster in a reader's words."""
    values = {node.memory for node in cluster.node_types.values() if node.memory}
    for partition in cluster.partitions.values():
        values |= {partition.max_time.words} if partition.max_time else set()
    return values


def mentions() -> list[tuple]:
    """(page, cluster) of each cluster that the prose of the home page, or of a page to learn from, names."""
    others = [page for page in PAGES if page.parent.name == "learn" or page.name == "index.md"]
    words = {page: " ".join(line for _, line in prose(TEXT[page])) for page in others}
    return [
        (page, cluster)
        for page in others
        for cluster in CLUSTERS.values()
        if re.search(rf"\b{re.escape(cluster.name)}\b", words[page])
    ]


@pytest.mark.parametrize("page, cluster", mentions(), ids=lambda value: getattr(value, "key", None) or value.stem)
def test_other_pages_repeat_no_clusters_limit(page, cluster):
    text = " ".join(line for _, line in prose(TEXT[page]))
    for sentence in re.split(r"(?<=[.!?])\s", text):
        if cluster.name in sentence:
            assert not [limit for limit in limits(cluster) if re.search(rf"\b{re.escape(limit)}\b", sentence)], sentence


@each_page
def test_headings(page):
    levels, fenced = [], False
    for line in TEXT[page].splitlines():
        fenced ^= bool(re.match(r"\s*```", line))
        if not fenced and (heading := re.match(r"(#+) ", line)):
            levels.append(len(heading[1]))
    assert levels.count(1) == 1 and levels[0] == 1
    assert all(b <= a + 1 for a, b in zip(levels, levels[1:], strict=False)), levels


def test_every_page_is_in_the_navigation():
    assert sorted(entry.source for entry in mkdocs_yml().pages) == sorted(IDS)
