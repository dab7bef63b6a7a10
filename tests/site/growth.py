"""Measure sites of many made-up systems: python -m tests.site.growth --into /tmp/growth 18 30 100 300.

Seconds are the processor's, since other work on the machine changes the others. The folder gets growth.yml.
"""

import argparse
import json
import os
import random
import resource
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import yaml

from scripts.bench.made_up import NAMES, renamed
from scripts.facts import load_all
from scripts.paths import ROOT, write_whole
from scripts.pdf.printer import chromium
from scripts.site.server import serve
from scripts.tables.growth import Size
from tests.site.looks import HEIGHT, PHONE, READY, WATCH, search

TIMED = {
    "build": "import runpy; runpy.run_module('scripts.build', run_name='__main__')",
    "check": "from scripts.engine.ask import ask; from scripts.facts import load_named\n"
    'ask("check", [load_named("basalt")], [["basalt", "#!/bin/bash\\n#SBATCH --time=1:00\\nhostname\\n", "job.sh"]])',
    "server": "import json; from scripts.mcp_server import jobs, server\n"
    "server.server(); print(len(json.dumps(jobs.where(1))))",
}


def write_facts(folder: Path, many: int) -> None:
    """Our systems in turn, with other names and other numbers of nodes; three have one center."""
    models = list(load_all().values())
    for number in range(many):
        name = f"{NAMES[number % len(NAMES)]}{number // len(NAMES) or ''}"
        facts, _ = renamed(models[number % len(models)], draw := random.Random(name), name, ("since",))
        facts |= {"centre": f"center{number // 3}", "operator": f"Center {number // 3}"}
        for node in facts["node_types"].values():
            node |= {"count": draw.randint(1, 2 * node["count"])} if "count" in node else {}
        write_whole(folder / name.lower() / "cluster.yml", yaml.safe_dump(facts, sort_keys=False, allow_unicode=True))


def python(facts: Path, *words: str) -> tuple[float, str]:
    """What it took of the processor's time, in seconds, and what it printed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(
        [sys.executable, *words], cwd=ROOT, env=os.environ | {"GPU_GUIDE_FACTS": str(facts)}, stdout=-1, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 2), done.stdout.decode()


@contextmanager
def opened(browser, site: Path, name: str) -> Iterator[tuple]:
    """A page of a built site on a phone that has never been there, and what the server has sent."""
    with serve(site) as server, browser.new_context(viewport={"width": PHONE, "height": HEIGHT}) as reader:
        page = reader.new_page()
        page.add_init_script(WATCH)
        page.goto(f"http://127.0.0.1:{server.server_port}/{name}")
        page.evaluate(READY)
        yield page, server.sent


def weights(browser, site: Path) -> dict[str, int]:
    """Bytes, compressed: of first views, of what a search needs, and of all that a verdict needs."""
    with opened(browser, site, "clusters/basalt.html") as (page, sent):
        found = {"page": sum(sent.values())}
        search(page, "memory")
        found["search"] = sent["/search/search_index.json"] + sent["/assets/search.js"]
    with opened(browser, site, "jobscript.html#cluster=basalt") as (page, sent):
        found["tool"] = sum(sent.values())
        page.goto(page.url.partition("#")[0] + "#mode=check&cluster=basalt")
        page.wait_for_function("() => globalThis.jobscript?.chunks?.rules")
        found["verdict"] = sum(sent.values())
        assert {path.rpartition("/")[2] for path in sent if "/data/" in path} == {"basalt.js", "basalt-more.js"}
    return found | {"api": sum(path.stat().st_size for path in (site / "api").rglob("*"))}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--into", type=Path, required=True, help="a folder for the facts, the sites and growth.yml")
    parser.add_argument("systems", type=int, nargs="+", help="numbers of systems")
    given = parser.parse_args()
    found = {given.into / str(number): {"systems": number} | {name: [] for name in TIMED} for number in given.systems}
    for facts, each in found.items():
        write_facts(facts, each["systems"])
    for facts, each in list(found.items()) * 3:  # rounds
        for name, code in TIMED.items():
            took, said = python(facts, "-c", code)
            each[name].append(took)
        each["answer"] = int(said)
    with chromium() as browser:
        sizes = [Size(**each, **weights(browser, facts / "site")) for facts, each in found.items()]
    lines = ["sizes:\n", *(f"- {json.dumps(each.model_dump())}\n" for each in sizes)]
    write_whole(given.into / "growth.yml", "".join(lines))


if __name__ == "__main__":
    main()
