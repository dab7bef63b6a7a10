"""All that is made of the facts and the records.

It goes into `build/made/`, which is not in git: `write_made` brings it up to date, for whoever reads it.
"""

import fcntl
import json
from pathlib import Path

from scripts.facts import Cluster, load_all, plain
from scripts.facts.applications import load_applications
from scripts.facts.centres import load_centres
from scripts.facts.changes import load_changes
from scripts.families.applications import scripts as scripts_of_applications
from scripts.glossary import Glossary
from scripts.learning import Paths
from scripts.measure import catalogue, plots, traces
from scripts.measure import tables as results
from scripts.measure.claims import load_claims
from scripts.measure.limits import listed, load_file
from scripts.measure.records import load_records
from scripts.messages.model import Page
from scripts.models import schema_of
from scripts.paths import MADE, shown
from scripts.tables import (
    api,
    applications,
    assistants,
    centre,
    choose,
    compare,
    explained,
    fit,
    glossary,
    home,
    lessons,
    messages,
    migration,
    notebooks,
    overview,
    own_script,
    paths,
    sharing,
    steps,
    workshop,
)
from scripts.tables import cluster as of_one
from scripts.tables import limits as own_case
from scripts.tables.changes import changes_part
from scripts.tables.published import guides, published

SCHEMAS = {"cluster": Cluster, "messages": Page, "glossary": Glossary, "paths": Paths, "workshop": workshop.Workshop}
TABLES, CHANGES = MADE / "tables", MADE / "changes.md"
LOCK = MADE.with_suffix(".lock")  # as old as what was made
Texts = dict[Path, str]


def tables(clusters: dict[str, Cluster]) -> Texts:
    """Every table and plot of the guide. Raises BadInput for faults in limits, claims or records."""
    limits = load_file()
    tables_of_all = overview.TABLES | home.TABLES | choose.TABLES | compare.TABLES | lessons.TABLES
    tables_of_all |= own_case.TABLES | own_script.TABLES | fit.TABLES
    made = {TABLES / name: make(clusters) for name, make in tables_of_all.items()}
    made |= {TABLES / name: text for name, text in messages.pages(clusters).items()}
    made[TABLES / "precisions.md"] = lessons.precisions(listed(limits.devices))
    made[TABLES / "published.md"] = published(clusters)
    made[TABLES / "guides.md"] = guides()
    made[TABLES / "sharing.md"] = sharing.sharing()
    made[TABLES / "assistants.md"] = assistants.assistants()
    made[TABLES / "glossary.md"] = glossary.glossary()
    made[TABLES / "api.md"] = api.fields()
    made[TABLES / "paths.md"] = paths.paths()
    made |= {TABLES / "workshop" / name: make() for name, make in workshop.TABLES.items()}
    for key, cluster in clusters.items():
        of_it = of_one.TABLES | (
            of_one.OF_RUNNING | explained.TABLES if cluster.running else migration.tables_of(cluster, clusters)
        )
        made |= {TABLES / key / name: make(cluster, clusters) for name, make in of_it.items()}
    made |= of_applications(clusters)
    for key in load_centres():
        made |= {TABLES / "centres" / key / name: make(key, clusters) for name, make in centre.TABLES.items()}
    made |= {MADE / "diffs" / name: text for name, text in steps.diffs().items()}
    records, claims = load_records(limits=limits.devices), load_claims(limits.devices)
    made |= {MADE / "plots" / name: text for name, text in plots.everything(limits.devices, records, claims).items()}
    made[MADE / "plots/trace.svg"] = plots.trace_plot(traces.load_runs())
    return made | {TABLES / path: text for path, text in results.make(limits, records, claims).items()}


def of_applications(clusters: dict[str, Cluster]) -> Texts:
    """The tables of ready-made applications, and their job scripts."""
    known = load_applications(clusters)
    scripts = scripts_of_applications(clusters, known)
    made = {applications.FOLDER / name: text for name, text in scripts.items()}
    made[TABLES / "applications.md"] = applications.overview(clusters, known)
    for key, one in known.applications.items():
        made[TABLES / "applications" / f"{key}.md"] = applications.section(key, one, clusters, scripts)
    return made


def texts(clusters: dict[str, Cluster]) -> Texts:
    """Every file of `build/made/`."""
    return tables(clusters) | {
        notebooks.JUPYTER: notebooks.systems(clusters),
        own_case.JS: own_case.as_js(clusters),
        catalogue.JS: catalogue.as_js(load_file().devices),
        **{MADE / f"{name}.schema.json": schema_of(model) for name, model in SCHEMAS.items()},
        CHANGES: changes_part(clusters, load_changes(clusters)),
        plain.JSON: as_json({key: plain.plain(cluster) for key, cluster in clusters.items()}),
    }


def as_json(data: dict) -> str:
    return json.dumps(data, indent=1, ensure_ascii=False) + "\n"


def stale(wanted: Texts) -> list[Path]:
    """What differs on disk, or is missing."""
    return sorted(path for path, text in wanted.items() if not path.exists() or path.read_bytes() != text.encode())


def write(wanted: Texts) -> list[Path]:
    """Bring these files up to date; one that is right already is not touched. Returns what changed."""
    changed = stale(wanted)
    for path in changed:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(wanted[path], encoding="utf-8")
    return changed


def write_made() -> list[Path]:
    """Bring `build/made/` up to date, one process at a time. Returns what changed, also what is there no more."""
    LOCK.parent.mkdir(exist_ok=True)
    with LOCK.open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        wanted = texts(load_all())
        changed = write(wanted)
        gone = sorted({path for path in MADE.rglob("*") if path.is_file()} - wanted.keys())
        for path in gone:
            path.unlink()
        for folder in sorted(MADE.rglob("*/"), reverse=True):
            if folder.is_dir() and not any(folder.iterdir()):
                folder.rmdir()
    return [shown(path) for path in (*changed, *gone)]
