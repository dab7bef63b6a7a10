"""The pages as written: everything is shown, nothing is typed twice, whoever knows one system's page knows all."""

import re
import subprocess
from pathlib import Path

import pytest

from scripts.facts.centres import load_centres
from scripts.families import FAMILIES
from scripts.markdown import INCLUDE
from scripts.paths import DOCS, MADE, ROOT, SNIPPETS
from scripts.site.config import mkdocs_yml
from tests.clusters import CLUSTERS
from tests.site import pages
from tests.site.pages import CENTRE_PAGES, CLUSTER_PAGES, IDS, PAGES, SYSTEM_PAGES, TEXT

pytestmark = pytest.mark.usefixtures("made")
RUNNING = [cluster for cluster in CLUSTERS.values() if cluster.running]
RETIRED = [cluster for cluster in CLUSTERS.values() if not cluster.running]
WORDS = sorted((SNIPPETS / "words").rglob("*.md"))  # sentences that several systems' pages share
each_page = pytest.mark.parametrize("page", PAGES, ids=IDS)
each_cluster_page = pytest.mark.parametrize("page", CLUSTER_PAGES, ids=[page.stem for page in CLUSTER_PAGES])
each_running = pytest.mark.parametrize("cluster", RUNNING, ids=lambda cluster: cluster.key)
each_retired = pytest.mark.parametrize("cluster", RETIRED, ids=lambda cluster: cluster.key)
each_centre = pytest.mark.parametrize("centre", CENTRE_PAGES)


def included() -> set[str]:
    """What pages include; the difference between two programs shows the second, a program what it prints on a GPU."""
    names = {name for page in PAGES for name in pages.included(page)}
    names |= {f"snippets/programs/{Path(name).stem}.py" for name in names if name.endswith(".diff")}
    return names | {f"snippets/programs/gpu/{Path(name).stem}.out" for name in names if "/programs/" in name}


# Facts, and the job script for those who measure: it needs the whole repository, so no reader copies it.
DATA = "applications assistants centres changes claims glossary limits models paths programs sources workshop".split()
NOT_SHOWN = {"cluster.yml", "validate.sh", *(f"{name}.yml" for name in DATA)}


def snippet_files() -> set[str]:
    """Every file that exists to be shown: scripts, programs, outputs, tables."""
    found = {str(path.relative_to(ROOT)) for path in MADE.rglob("*.md")}
    for path in SNIPPETS.rglob("*"):
        if (
            (path.suffix in (".sh", ".py", ".out", ".txt", ".md", ".yml") or path.parent == SNIPPETS / "languages")
            and path.name not in NOT_SHOWN
            and path.parent
            not in (
                SNIPPETS / "messages",
                SNIPPETS / "published",
                SNIPPETS / "published/guides",
                SNIPPETS / "published/patches",
            )  # data, shown by their tables; patches to offer
            and path.parent.name != "captures"  # sources, linked from the table of a cluster's sources
            and not path.is_relative_to(FAMILIES)  # shown as each of its systems has it
            and not path.is_relative_to(SNIPPETS / "collections")  # each has a site of its own
        ):
            found.add(str(path.relative_to(ROOT)))
    return found


def test_every_snippet_is_shown_on_a_page():
    assert snippet_files() - included() == set()


@each_page
def test_a_page_has_no_tabs_and_each_include_stands_alone_in_its_fence(page):
    """What stands in a tab is not found in print, or by a search. What a typed fence may be the collector judges."""
    assert not re.search(r'(?m)^\s*===[!+]?\s+"', TEXT[page])
    for fence in re.findall(r"^[ ]*```[^\n]*\n(.*?)^[ ]*```\s*$", TEXT[page], re.MULTILINE | re.DOTALL):
        assert not INCLUDE.search(fence) or len(fence.strip().splitlines()) == 1, f"shares its fence: {fence}"


def parts_of(text: str, level: int) -> dict[str, str]:
    """Heading -> what stands below it, in the page's order; what stands above the first is under ""."""
    pieces = re.split(rf"(?m)^{'#' * level} (.+?)(?: {{ [^}}]+ }})?\n", text)
    return {"": pieces[0]} | dict(zip(pieces[1::2], pieces[2::2], strict=True))


def of(cluster, *tables: str) -> list[str]:
    return [f"build/made/tables/{cluster.key}/{name}.md" for name in tables]


def shown_in(part: str) -> list[str]:
    return [line["path"] for line in INCLUDE.finditer(part)]


# A running system's page: its parts, and the words, script and tables of each.
PARTS = {
    "At a glance": ("", "", ["glance"]),
    "Single-GPU job": ("one_gpu", "one_gpu.sh", ["one_gpu"]),
    "Multi-GPU job": ("several_gpus", "several_gpus.sh", []),
    "Full-node job": ("full_node", "full_node.sh", []),
    "Multi-node job": ("more_nodes", "more_nodes.sh", []),
    "MIG slice": ("slice", "slice.sh", []),
    "Job arrays": ("array", "array.sh", []),
    "CPU-only job": ("many_cpus", "many_cpus.sh", []),
    "Interactive use": ("interactive", "interactive.sh", ["jupyter", "editor"]),
    "Access, login and hardware": ("", "", ["at-a-glance"]),
    "Required options, partitions and time limits": ("", "", ["rules", "gpus", "partitions"]),
    "Billing and costs": ("", "", ["costs"]),
    "Software": ("", "", ["software"]),
    "Storage and data": ("stage_data", "stage_data.sh", ["storage"]),
    "Monitoring": ("watch", "", ["monitoring"]),
    "Things to know": ("", "", []),
    "Sources": ("sources", "", ["sources"]),
}
# Without these a system has no page; where one of the others cannot be had, its part says so.
ALWAYS = {"one_gpu.sh", "full_node.sh", "array.sh", "many_cpus.sh", "interactive.sh", "validate.sh"}
OPEN_PLACE = re.compile(r"(?m)^(?:- )?\([^()]+\)$")  # as `(own)`: what a page's frame leaves to be written


def has_slices(cluster) -> bool:
    return any(gpu.is_slice for gpu in cluster.gpus.values())


@each_running
def test_a_running_systems_page_has_the_parts_of_all(cluster):
    parts = parts_of(TEXT[SYSTEM_PAGES[cluster.key]], 2)
    assert list(parts)[1:] == [name for name in PARTS if name != "MIG slice" or has_slices(cluster)]
    ways = list(parts_of(parts["Interactive use"], 3))
    assert ways == ["", "Interactive session", "Jupyter", "VS Code and other editors"]
    head = parts[""].split("\n# ")[1].splitlines()
    assert head[0] == cluster.name
    assert shown_in(parts[""]) == of(cluster, "status")
    assert [line for line in head[1:] if line and not INCLUDE.match(line)], "the page has no lead"


@each_running
def test_each_part_shows_what_belongs_to_it(cluster):
    parts = parts_of(TEXT[SYSTEM_PAGES[cluster.key]], 2)
    for name, (words, script, tables) in PARTS.items():
        if name == "MIG slice" and not has_slices(cluster):
            continue
        part, shown = parts[name], shown_in(parts[name])
        wanted = [f"snippets/words/{words}.md"] if words else []
        if script and (SNIPPETS / cluster.key / script).exists():
            wanted.append(f"snippets/{cluster.key}/{script}")
        elif script:
            assert script not in ALWAYS, f"snippets/{cluster.key} lacks {script}"
            assert re.search(r"(?ms)^[A-Z].*\.$", part), f"{name}: there is no {script}, and no sentence says why"
            wanted = [path for path in wanted if path in shown]
        assert set(wanted + of(cluster, *tables)) <= set(shown), name


@each_running
def test_scripts_name_the_line_to_replace_and_fit_their_column(cluster):
    paths = sorted((SNIPPETS / cluster.key).glob("*.sh"))
    assert {path.name for path in paths} >= ALWAYS
    for path in paths:
        if path.name == "validate.sh":
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        assert not [line for line in lines if len(line) > 84], path.name
        if path.name not in ("interactive.sh", "languages.sh"):  # the latter runs no Python
            (place,) = [n for n, line in enumerate(lines) if line.startswith("# Put your own program here")]
            assert re.search(r"\b\w+\.(?:jl|py|R)\b|\./my_program|python3 -m \w", " ".join(lines[place + 1 :])), (
                f"{path.name}: no program stands below"
            )


MIGRATE = "Migrate from"  # and the system's name
RETIRED_PARTS = {
    MIGRATE: ["migration"],
    "Archived scripts": [],
    "Archived limits and facts": "at-a-glance rules gpus partitions costs software monitoring storage".split(),
    "Sources": ["sources"],
}


@each_retired
def test_a_retired_systems_page_has_banner_migration_and_old_scripts_closed(cluster):
    parts = parts_of(TEXT[SYSTEM_PAGES[cluster.key]].replace(f"{MIGRATE} {cluster.name}", MIGRATE), 2)
    assert list(parts)[1:] == list(RETIRED_PARTS)
    assert re.search(rf'\n# {re.escape(cluster.name)}\n\n--8<-- "{of(cluster, "status")[0]}"\n', parts[""])
    for name, tables in RETIRED_PARTS.items():
        if name == MIGRATE and cluster.status.successor not in CLUSTERS:
            continue  # it leads out of the guide
        assert set(of(cluster, *tables)) <= set(shown_in(parts[name])), name
    scripts = {f"snippets/{cluster.key}/{path.name}" for path in (SNIPPETS / cluster.key).glob("*.sh")}
    assert set(shown_in(parts["Archived scripts"])) == scripts
    for name in ("Archived scripts", "Archived limits and facts"):
        first, *rest = filter(None, parts[name].splitlines())
        assert first.startswith("??? abstract ") and all(line.startswith("    ") for line in rest), f"{name} is open"


CENTRE_PARTS = ["Which system to use", "Getting access", "Support"]


@each_centre
def test_a_centres_page_is_short_and_leads_to_its_systems(centre):
    text = TEXT[CENTRE_PAGES[centre]]
    parts = parts_of(text, 2)
    assert list(parts)[1:] == CENTRE_PARTS
    assert f"\n# {load_centres()[centre].name}\n" in text
    assert all("/made/tables/centres/" in path or "/words/" in path for path in shown_in(text)), "no scripts"
    linked = re.findall(r"\]\((\w+)\.md\)", parts["Which system to use"])
    there = [cluster for cluster in CLUSTERS.values() if cluster.centre == centre]
    assert set(linked) == {cluster.key for cluster in there}
    running = [CLUSTERS[key].running for key in dict.fromkeys(linked)]
    assert running == sorted(running, reverse=True), "running systems come first"


def others_named(text: str, but: set[str]) -> list[str]:
    words = " ".join(line for _, line in prose(text))
    others = [name for key, other in CLUSTERS.items() if key not in but for name in other.name.split("/")]
    return [name for name in others if re.search(rf"\b{re.escape(name)}\b", words)]


@pytest.mark.parametrize("cluster", CLUSTERS.values(), ids=lambda cluster: cluster.key)
def test_prose_of_a_systems_page_speaks_of_it_alone(cluster):
    """Its successor, and what it replaced, may be named: two systems meet where one takes the other's place."""
    before = {key for key, other in CLUSTERS.items() if other.status.successor == cluster.key}
    named = others_named(TEXT[SYSTEM_PAGES[cluster.key]], {cluster.key, cluster.status.successor, *before})
    assert not named, f"{cluster.name}'s page speaks of {named}"


@pytest.mark.parametrize("page", WORDS, ids=lambda page: str(page.relative_to(SNIPPETS / "words")))
def test_words_that_systems_share_name_none_and_no_number(page):
    text = page.read_text(encoding="utf-8")
    assert not others_named(text, set())
    assert not numbers_in(text)


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


def numbers_in(text: str) -> list[str]:
    return [
        f"{number}: `{found[0]}`"
        for number, line in prose(text)
        if (found := re.search(rf"\b\d[\d,.]*[ -]?{UNITS}\b", line))
    ]


@each_cluster_page
def test_prose_repeats_no_limit_count_or_size(page):
    """On a cluster's page such a number belongs to the facts, and reaches the page by a table; and no place is open."""
    assert not OPEN_PLACE.findall(TEXT[page])
    found = numbers_in(TEXT[page])
    assert not found, f"{page.relative_to(ROOT)}:{found}: put it into the facts and refer to the table."


def limits(cluster) -> set[str]:
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


def test_where_a_module_is_renamed_on_some_nodes_only_its_old_name_comes_first():
    told = [
        (" ".join(text.split()), f"load {each.old}`", f"load {each.new}`")
        for cluster in RUNNING
        for text in (TEXT[SYSTEM_PAGES[cluster.key]], *cluster.interactive.jupyter)
        for each in cluster.software.renamed
        if each.only
    ]
    both = [(text.index(old), text.index(new), old) for text, old, new in told if old in text and new in text]
    assert both and [name for old, new, name in both if old > new] == []


NUMBERS = {
    word: at for at, word in enumerate("one two three four five six seven eight nine ten eleven twelve".split(), 1)
}
MINUTES = {"minute": 1, "hour": 60, "day": 1440}
EXPLAINED = ROOT / "scripts/tables/explained.py"  # what stands beside a system's first script
TIME = re.compile(r"`(?:--time[= ]|-t )?([\d:-]*:[\d:-]+)`\s+(?:for|is|means|gives)\s+(\w+)\s+(minute|hour|day)s?\b")


def minutes(time: str) -> float:
    """As sbatch reads it: minutes, minutes:seconds, hours:minutes:seconds; after days hours come first."""
    days, _, rest = time.rpartition("-")
    parts = [int(part) for part in rest.split(":")]
    hours, minute, second = [*parts, 0, 0][:3] if days else [0, *parts, 0][:3] if len(parts) < 3 else parts
    return int(days or 0) * 1440 + hours * 60 + minute + second / 60


def test_a_time_in_code_is_the_one_in_the_words_behind_it():
    assert [minutes(each) for each in ("06:00", "06:00:00", "1-06", "1-06:30", "30")] == [6, 360, 1800, 1830, 30]
    texts = {path: path.read_text(encoding="utf-8") for path in (*WORDS, *FAMILIES.rglob("*.md"), EXPLAINED)} | TEXT
    found = [(path, *each) for path, text in texts.items() for each in TIME.findall(text)]
    assert found, "no page explains how a time is written"
    for path, time, number, unit in found:
        assert minutes(time) == (NUMBERS.get(number) or int(number)) * MINUTES[unit], f"{path}: {time}"


def test_an_array_has_as_many_jobs_as_its_page_says():
    text = (ROOT / "docs/learn/what-to-ask-for.md").read_text(encoding="utf-8")
    array = re.search(r"For ten jobs, with at most two\s+running.*?--array=(\d+)-(\d+)%(\d+)", text, re.DOTALL).groups()
    first, last, most = map(int, array)
    assert (last - first + 1, most) == (10, 2)


def test_every_page_is_in_the_navigation():
    assert sorted(entry.source for entry in mkdocs_yml().pages) == sorted(IDS)


COLUMN = 88  # letters of code that fit beside both contents at 1280 pixels


@each_page
def test_code_fits_its_column(page):
    """Scripts and programs, so that nobody scrolls to see an option. What a tool printed, or others, stays as it is."""
    wide = [
        f"{name}:{number}"
        for name in map(str, pages.included(page))
        if name.endswith((".sh", ".py", ".def"))
        for number, line in enumerate((ROOT / name).read_text(encoding="utf-8").splitlines(), 1)
        if len(line) > COLUMN
    ]
    assert wide == [], "end the line earlier"


def test_the_tasks_of_an_array_share_all_runs():
    loop = re.search(r"for n in .*; done", TEXT[DOCS / "learn/many-small-runs.md"])[0]
    tasks = f"srun() {{ echo $3; }}; for SLURM_ARRAY_TASK_ID in 0 1; do {loop}; done"
    assert subprocess.check_output(["bash", "-c", tasks], text=True).split() == [str(run) for run in range(20)]
