"""The page on ready-made applications: where each is, how it is loaded, and a script for each way to load it."""

from scripts.facts.applications import Application, Installed, Table
from scripts.facts.centres import load_centres
from scripts.facts.units import Date
from scripts.markdown import table
from scripts.paths import MADE
from scripts.tables.cluster import Clusters

FOLDER = MADE / "applications"  # the scripts
STATES = {"gpu": "GPU build", "cpu": "CPU build only", "own": "You build it", "ask": "Ask the support staff"}


def overview(clusters: Clusters, known: Table) -> str:
    """Every application with its systems, by state."""
    heads = ("Application", "GPU build", "CPU build only", "Build it or ask support")
    rows = [
        (
            f"[{one.name}](#{key})",
            *(_names(_systems(one, *states), clusters) for states in (("gpu",), ("cpu",), ("own", "ask"))),
        )
        for key, one in known.applications.items()
    ]
    links = "\n".join(f"- [{one.name}](#{key})" for key, one in known.applications.items())
    return f"""{table(heads, rows)}
We read the operators' pages on {Date(known.read).words}.

<div class="kinds" markdown data-search-exclude>

{links}

</div>
<script src="../assets/kinds.js" defer></script>
"""


def section(key: str, one: Application, clusters: Clusters, scripts: dict[str, str]) -> str:
    """All that the table knows of one application."""
    centres = load_centres()
    rows = [
        (
            _names(each.on, clusters),
            "<br>".join(
                [f"**{STATES[each.state]}**" * (each.state != "gpu"), *(f"`{line}`" for line in each.load)]
            ).removeprefix("<br>")
            + "".join(f"<br>CPU-only: `{line}`" for line in each.cpu)
            + f"<br>{each.note}" * bool(each.note),
            f"[{centres[clusters[each.on[0]].centre].name}, {each.dated}]({each.source})",
        )
        for each in one.systems
    ]
    if one.undocumented:
        where = f"Not documented. Run `module spider {key}` on a GPU login node, or ask the support staff."
        rows.append((_names(one.undocumented, clusters), where, ""))
    read = " and ".join(f"[{number}]({address})" for number, address in enumerate(one.sources, 1))
    parts = [
        f"[{one.name}]({one.homepage}) {one.does}.",
        *([f"**License:** {one.license}"] if one.license else []),
        table(("System", "How to load it", "Source"), rows),
        *(
            [table(("Option or program", "Effect"), [(f"`{flag.words}`", flag.does) for flag in one.flags])]
            if one.flags
            else []
        ),
        f"**Ranks and threads:** {one.ranks} {'Sources' if len(one.sources) > 1 else 'Source'}: {read}.",
        _without_gpu(one, clusters),
        f"**Proof in the log:** On a GPU, {one.log_in} contains `{one.log}` ([source]({one.log_source})).",
        *(
            _script(f"{key}{stage}", each, clusters, scripts)
            for each in one.systems
            if each.state == "gpu"
            for stage in (("-cpu", "") if each.before else ("",))
        ),
    ]
    return "\n\n".join(part.strip() for part in parts) + "\n"


def _without_gpu(one: Application, clusters: Clusters) -> str:
    """How a CPU-only job is asked for, with a link to the script of each system that has a build for it."""
    there = sorted({key for each in one.systems if each.cpu or each.state == "cpu" for key in each.on})
    links = [f"[{clusters[key].name}](/clusters/{key}.md#without-a-gpu)" for key in there]
    where = f" Documented CPU builds: {', '.join(links)}." * bool(links)
    return f"**Without a GPU:** {one.cpu} End the script with `{one.cpu_start}`.{where}\n{{: data-search-exclude }}"


def _script(key: str, entry: Installed, clusters: Clusters, scripts: dict[str, str]) -> str:
    """The script of its first system, with links to those of all, which differ in their directives."""
    stage = (": first job, without a GPU" if key.endswith("-cpu") else ": second job") if entry.before else ""
    title = f"Script for {_names(entry.on, clusters)}{stage}"
    name = f"{key}-{entry.on[0]}.sh"
    others = [f"[`{key}-{each}.sh`](/made/applications/{key}-{each}.sh)" for each in entry.on[1:]]
    more = ["", f"For the other systems, download {', '.join(others)}."] if others else []
    lines = [f'```bash title="{name}"', *scripts[name].splitlines(), "```", *more]
    return f'??? example "{title}"\n\n' + "\n".join(f"    {line}".rstrip() for line in lines)


def _systems(one: Application, *states: str) -> list[str]:
    return [name for each in one.systems if each.state in states for name in each.on]


def _names(keys: list[str], clusters: Clusters) -> str:
    return ", ".join(sorted(clusters[key].name for key in keys)) or "–"
