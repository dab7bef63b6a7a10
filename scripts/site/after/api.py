"""Write the facts, and the engine that decides by them, for programs and assistants, under addresses that stay:
`api/v1/<cluster>.json`, `common.json`, `schema.json`, `index.json`, and `engine.js`, which Node takes by `require`.
scripts/facts/api.py has their form, and says which change gets a new number in the address.
"""

import json
from pathlib import Path

from scripts.engine import data
from scripts.engine.bundle import GLOBAL, JS, joined, ordered
from scripts.facts import Cluster, load_all
from scripts.facts.api import VERSION, schema
from scripts.facts.plain import plain
from scripts.site.after import lean

API = f"api/v{VERSION}"


def of_cluster(cluster: Cluster) -> dict:
    """What stands in a cluster's file."""
    sources = {
        group: [each.model_dump(mode="json", exclude_none=True) for each in read]
        for group, read in cluster.sources.items()
    }
    return {
        "version": VERSION,
        "key": cluster.key,
        "name": cluster.name,
        "scheduler": cluster.scheduler.kind,
        "read": max(each["read"] for read in sources.values() for each in read),
        "centre": cluster.centre,
        "operator": cluster.operator,
        "docs": cluster.docs,
        "facts": plain(cluster),
        "sources": sources,
        "unconfirmed": dict(cluster.unconfirmed),
        "system": data.system(cluster),
    }


def engine() -> str:
    """The engine in one classic script, which Node takes too. It is given what it knows as `systems` and `data`."""
    paths = ordered(JS / "api.js")
    numbers = {path: f"m{number}" for number, path in enumerate(paths)}
    entry = f"Object.assign({GLOBAL}, {GLOBAL}.modules.{numbers[paths[-1]]}.api)\n"
    return joined(paths, numbers) + entry + f'if (typeof module === "object") module.exports = {GLOBAL}\n'


def text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1, sort_keys=False) + "\n"


def write(site: Path) -> None:
    folder = site / API
    folder.mkdir(parents=True, exist_ok=True)
    clusters = load_all()
    found = {f"{key}.json": of_cluster(cluster) for key, cluster in clusters.items()}
    index = [{name: each[name] for name in ("key", "name", "scheduler", "read")} for each in found.values()]
    found |= {
        "index.json": {"version": VERSION, "engine": "engine.js", "common": "common.json", "clusters": index},
        "common.json": data.common(),
        "schema.json": schema(),
    }
    for name, value in found.items():
        (folder / name).write_text(text(value), encoding="utf-8")
    (folder / "engine.js").write_text(lean.script(engine()), encoding="utf-8")
