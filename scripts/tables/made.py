"""All that is written from the facts and the records, and what of it is stale.

That is `snippets/made/`, and cells of notebooks. Most of it is text that is compared as it is; plots are compared by
their stamps. All of it is made of the facts as they are written, with what is coming: so no day makes it stale.
"""

from __future__ import annotations

from pathlib import Path

from scripts.errors import BadInput, refuse
from scripts.evidence.rests import TWINS
from scripts.facts import AS_WRITTEN, Cluster, load_all
from scripts.facts import changes as log
from scripts.facts.centres import load_centres
from scripts.facts.load import SCHEMA as FACTS_SCHEMA
from scripts.facts.load import schema_text as facts_schema
from scripts.glossary import SCHEMA as GLOSSARY_SCHEMA
from scripts.glossary import schema_text as glossary_schema
from scripts.measure import catalogue, plots
from scripts.measure import tables as results
from scripts.measure.claims import load_claims
from scripts.measure.limits import listed, load_file
from scripts.measure.records import SCHEMA as RECORDS_SCHEMA
from scripts.measure.records import load_records
from scripts.measure.records import schema_text as records_schema
from scripts.messages.load import SCHEMA as MESSAGES_SCHEMA
from scripts.messages.load import schema_text as messages_schema
from scripts.paths import MADE, shown
from scripts.stamps import Stamped
from scripts.tables import (
    centre,
    choose,
    compare,
    explained,
    glossary,
    home,
    lessons,
    messages,
    notebooks,
    overview,
    own_script,
    way_over,
)
from scripts.tables import cluster as of_one
from scripts.tables import limits as own_case
from scripts.tables.changes import changes_part
from scripts.tables.dated import dated
from scripts.tables.guides import guides
from scripts.tables.published import published
from scripts.tables.twins import twins_text

TABLES, CHANGES = MADE / "tables", MADE / "changes.md"
Texts = dict[Path, str]


def tables(clusters: dict[str, Cluster]) -> Texts:
    """Every table of the guide. Raises BadInput for faults in limits, claims or records."""
    limits = load_file()
    tables_of_all = overview.TABLES | home.TABLES | choose.TABLES | compare.TABLES | lessons.TABLES
    tables_of_all |= own_case.TABLES | own_script.TABLES
    made = {TABLES / name: dated(make, clusters) for name, make in tables_of_all.items()}
    made |= {TABLES / name: text for name, text in messages.pages(clusters).items()}
    made[TABLES / "precisions.md"] = lessons.precisions(listed(limits.devices))
    made[TABLES / "published.md"] = published(clusters)
    made[TABLES / "guides.md"] = guides()
    made[TABLES / "glossary.md"] = glossary.glossary()
    for key, cluster in clusters.items():
        of_it = of_one.TABLES | (
            of_one.OF_RUNNING | explained.TABLES if cluster.running else way_over.tables_of(cluster, clusters)
        )
        made |= {
            TABLES / key / name: dated(lambda then, key=key, make=make: make(then[key], then), clusters)
            for name, make in of_it.items()
        }
    for key in load_centres():
        made |= {
            TABLES / "centres" / key / name: dated(lambda then, key=key, make=make: make(key, then), clusters)
            for name, make in centre.TABLES.items()
        }
    records, claims = load_records(limits=limits.devices), load_claims(limits.devices)
    return made | {TABLES / path: text for path, text in results.make(limits, records, claims).items()}


def texts(clusters: dict[str, Cluster], changes: list[log.Change]) -> Texts:
    """Every file that is compared as it is."""
    return tables(clusters) | {
        **notebooks.notebooks(clusters),
        TWINS: twins_text(clusters),
        way_over.JSON: way_over.as_json(clusters),
        own_case.JS: own_case.as_js(clusters),
        catalogue.JS: catalogue.as_js(load_file().devices),
        FACTS_SCHEMA: facts_schema(),
        RECORDS_SCHEMA: records_schema(),
        MESSAGES_SCHEMA: messages_schema(),
        GLOSSARY_SCHEMA: glossary_schema(),
        log.FACTS: log.facts_text(log.facts_of(clusters)),
        log.LOG: log.log_text(changes),
        CHANGES: changes_part(clusters, changes),
    }


def stale(wanted: Texts) -> list[Path]:
    """What differs on disk, is missing, or is a table of nothing."""
    differ = [path for path, text in wanted.items() if not path.exists() or path.read_bytes() != text.encode()]
    return sorted({*differ, *(set(TABLES.rglob("*.md")) - wanted.keys())})


def write(wanted: Texts) -> list[Path]:
    """Bring the files up to date; nothing is touched that is right already. Returns what changed."""
    changed = stale(wanted)
    for path in changed:
        if path in wanted:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(wanted[path], encoding="utf-8")
        else:
            path.unlink()
    for folder in sorted(TABLES.glob("*/")):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return [shown(path) for path in changed]


def write_tables() -> list[Path]:
    """The tables, and what evidence rests on, for a page that is shown while the facts are edited."""
    clusters = load_all(day=AS_WRITTEN)
    return write(tables(clusters) | {TWINS: twins_text(clusters)})


def write_all(today: str) -> tuple[list[Path], list[log.Change]]:
    """Write everything, and log what changed in the facts under today's date. Returns the files and the changes."""
    clusters = load_all(day=AS_WRITTEN)
    new = log.differences(log.read_facts(), log.facts_of(clusters), today)
    return write(texts(clusters, log.merge(log.read_log(), new))), new


def stale_stamps() -> list[BadInput]:
    return [fault for thing in stamped() if (fault := thing.fault())]


def refuse_stale() -> None:
    """Raise BadInput that names everything stale at once."""
    faults = [
        BadInput(shown(path), None, "this is not what the facts and records give.", "Run `make tables`.")
        for path in stale(texts(load_all(day=AS_WRITTEN), log.read_log()))
    ]
    refuse(faults + stale_stamps())


def stamped() -> list[Stamped]:
    """What takes other tools and longer than a moment to make."""
    return [plots.stamped()]
