"""Write every table of the guide from the facts and the records into `snippets/tables/`.

`python -m scripts.tables` rewrites what has changed; `--check` writes nothing and fails if a table is stale.
"""

from __future__ import annotations

import argparse
import shutil
from pathlib import Path

from scripts.errors import BadInput, run
from scripts import result_tables
from scripts.facts import ROOT, SNIPPETS, Cluster, Partition, Requirement, Rule, State, load_all
from scripts.limits import load_limits
from scripts.markdown import table
from scripts.results import load_records

TABLES = SNIPPETS / "tables"

def plural(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


class Writer:
    """The tables of one cluster. A value that is not confirmed is marked where it stands."""

    def __init__(self, cluster: Cluster, clusters: dict[str, Cluster]):
        self.c, self.clusters = cluster, clusters

    def mark(self, text: str, *path: str) -> str:
        """Add the mark if this key is listed under `unconfirmed`; the name of a row also if its whole group is."""
        places = {".".join(path), path[0] if len(path) == 2 else None}
        return f"{text} *(unconfirmed)*" if places & self.c.unconfirmed.keys() else text

    def successor(self) -> str:
        """The successor's name, linked to its page where the guide has one."""
        key = self.c.status.successor or ""
        if key not in self.clusters:
            return key
        other = self.clusters[key]
        return f"[{other.name}](/clusters/{other.page}.md#at-a-glance)"

    def chip(self) -> str:
        status = self.c.status
        if status.state is State.RETIRED:
            return self.mark(f"retired {status.ended}" if status.ended else "retired", "status", "ended")
        return {State.ACTIVE: "runs", State.RETIRING: "being retired", State.ANNOUNCED: "announced"}[status.state]

    def status(self) -> str:
        name, status = self.c.name, self.c.status
        note = f" {status.note}" if status.note else ""
        if status.state is State.RETIRED:
            when = f"on {status.ended}" if status.ended and len(status.ended) == 10 else f"in {status.ended}" if status.ended else "(date not published)"
            where = f" Use {self.successor()} instead." if status.successor else ""
            return (f'!!! danger "{name} is switched off"\n\n    {name} ran its last job {when}.{where}{note} '
                    "What follows is kept for reading old scripts and results.\n")
        parts = [f"{name} has run since {status.since}." if status.since else f"{name} runs."]
        if status.planned_end:
            after = f"; {self.successor()} follows" if status.successor else ""
            parts.append(f"Its planned end is {status.planned_end}{after}.")
        return f'!!! success "{" ".join(parts)}"\n' + (f"\n    {status.note}\n" if status.note else "")

    def at_a_glance(self) -> str:
        c = self.c
        kind = {"slurm": "Slurm", "grid_engine": "Grid Engine"}[c.scheduler.kind]
        rows = [("Operator", c.operator),
                ("Scheduler", self.mark(f"{kind} {c.scheduler.version or ''}".strip(), "scheduler", "version"))]
        if c.login:
            rows.append(("Log in", "<br>".join(f"`{login.host}`: {login.use}" for login in c.login)))
        for label, wanted in (("GPU nodes", True), ("CPU nodes", False)):
            lines = [self.mark(self._node(node), "node_types", key) for key, node in c.node_types.items() if bool(node.gpus) is wanted]
            if lines:
                rows.append((label, "<br>".join(lines)))
        if c.gpu_total:
            rows.append(("GPUs in all", f"{c.gpu_total:,}"))
        rows.append(("Documentation", f"[{c.docs.removeprefix('https://').strip('/')}]({c.docs})"))
        return table(("What", c.name), rows)

    def _node(self, node) -> str:
        """`28 × 24 cores, 256 GB: 3 × NVIDIA L40S`."""
        gpus = " + ".join(f"{number} × {self.c.gpus[gpu].model}" + (" slice" if self.c.gpus[gpu].is_slice else "") for gpu, number in node.gpus.items())
        size = ", ".join(text for text in (node.cores and f"{node.cores} cores", node.memory, node.local_disk and f"{node.local_disk} disk") if text)
        count = f"{node.count:,} ×" if node.count else "(number not published)"
        return f"{count} {size or 'size not published'}" + (f": {gpus}" if gpus else "")

    def gpus(self) -> str:
        def share(gpu) -> str:
            if not gpu.fair_share:
                return "not published"
            memory = f", {gpu.fair_share.memory}" if gpu.fair_share.memory else ""
            return plural(gpu.fair_share.cores, "core") + memory

        rows = []
        for key, gpu in self.c.gpus.items():
            what = f"{gpu.model}, {gpu.memory}" + (" (MIG slice)" if gpu.is_slice else "") + (f". {gpu.note}" if gpu.note else "")
            rows.append((self.mark(f"`{gpu.request}`", "gpus", key, "request"), what, self.mark(share(gpu), "gpus", key, "fair_share")))
        return table(("Ask for", "You get", "Its fair share of the node"), rows)

    def _limits(self, key: str, p: Partition) -> str:
        def say(field: str, words: str) -> str | None:
            value = getattr(p, field)
            return None if value in (None, False) else self.mark(words.format(value), "partitions", key, field)

        said = [say("min_nodes", "at least {} nodes"), say("max_nodes", "up to {} nodes"), say("min_gpus", "at least {} GPUs"),
                say("max_gpus", "up to {} GPUs"), say("max_gpus_per_node", "up to {} GPUs a node"), say("min_cores", "at least {} cores"),
                say("max_cores", "up to {} cores"), say("max_cores_per_node", "up to {} cores a node"),
                say("max_memory_per_node", "up to {} a node"), say("min_time", "at least {.words}"),
                say("default_memory_per_core", "{} a core unless you ask"), say("default_memory_per_gpu", "{} a GPU unless you ask"),
                say("default_memory_per_node", "{} a node unless you ask"), say("exclusive", "whole nodes only"),
                say("gpu_required", "GPU jobs only"), say("default", "used when you name none"),
                say("max_running_jobs", "{} running a user"), say("max_jobs", "{} in the queue a user"), say("access", "{}")]
        text = "; ".join(words.replace(" 1 nodes", " 1 node").replace(" 1 GPUs", " 1 GPU").replace(" 1 cores", " 1 core") for words in said if words)
        return (text + (f". {p.note}" if p.note and text else p.note or "")) or "none published"

    def partitions(self) -> str:
        if not self.c.partitions:
            return "The operator publishes no partition names.\n"
        with_gpu = {k: p for k, p in self.c.partitions.items() if any(self.c.node_types[n].gpus for n in p.node_types)}
        without = {k: p for k, p in self.c.partitions.items() if k not in with_gpu}
        text = ""
        for title, chosen in (("GPU partitions", with_gpu), ("Partitions without GPUs", without)):
            if chosen:
                rows = [(self.mark(f"`{key}`", "partitions", key), self.mark(p.max_time.words, "partitions", key, "max_time") if p.max_time else "not published",
                         self._limits(key, p)) for key, p in chosen.items()]
                text += ("\n" if text else "") + table((title, "Longest job", "Limits of one job"), rows)
        return text

    def rules(self) -> str:
        policy = self.c.policy

        def says(requirement: Requirement) -> str:
            word = {Rule.REQUIRED: "**required**", Rule.OPTIONAL: "optional", Rule.LEAVE_OUT: "leave it out"}[requirement.rule]
            since = f" since {requirement.since}" if requirement.since else ""
            note = f"; {requirement.note}" if requirement.note else ""
            refusal = f". Refused with: `{requirement.refusal}`" if requirement.refusal else ""
            return word + since + note + refusal

        rows = [(label, self.mark(says(getattr(policy, field)), "policy", field)) for field, label in
                (("account", "Account"), ("time", "Time limit"), ("partition", "Partition or queue"), ("gpu_model", "GPU model"), ("memory", "Memory"))]
        if policy.default_memory_per_core:
            rows.append(("Memory if you ask for none", self.mark(f"{policy.default_memory_per_core} a core", "policy", "default_memory_per_core")))
        if policy.default_time:
            rows.append(("Time if you ask for none", self.mark(policy.default_time.words, "policy", "default_time")))
        if policy.slices_per_job:
            rows.append(("MIG slices in a job", f"up to {policy.slices_per_job}"))
        if policy.max_queued_jobs:
            rows.append(("Jobs in the queue", f"up to {policy.max_queued_jobs:,} a user"))
        if policy.submit_from:
            rows.append(("Submit from", policy.submit_from))
        if policy.internet_on_compute_nodes is not None:
            rows.append(("Internet on compute nodes", "yes" if policy.internet_on_compute_nodes else "no"))
        text = table(("A job must say", self.c.name), rows)
        return text + ("\n" + "".join(f"- {note}\n" for note in policy.notes) if policy.notes else "")

    def software(self) -> str:
        software = self.c.software
        rows = [("Modules the scripts load", ", ".join(f"`{name}`" for name in software.modules) or "none"),
                ("Containers", software.containers or "not documented")]
        if software.module_paths:
            rows.insert(0, ("Add first", "<br>".join(f"`module use {path}`" for path in software.module_paths)))
        if software.images:
            rows.append(("Images", "<br>".join(f"`{image}`" for image in software.images)))
        text = table(("Software", self.c.name), rows)
        return text + ("\n" + "".join(f"- {note}\n" for note in software.notes) if software.notes else "")

    def monitoring(self) -> str:
        if not self.c.monitoring:
            return "The operator published no tools for this.\n"
        return table(("Tool", "Type", "Shows"), [(t.tool, f"`{t.command}`" if not t.command.startswith("http") else f"<{t.command}>", t.shows) for t in self.c.monitoring])

    def storage(self) -> str:
        def size(place) -> str:
            files = f", {place.files:,} files" if place.files else ""
            return (place.size or "not published") + files

        return table(("Path", "Size", "Kept", "For"), [(f"`{p.path}`", size(p), p.kept, p.use) for p in self.c.storage])

    def sources(self) -> str:
        groups: dict[tuple, list[str]] = {}
        for group, sources in self.c.sources.items():
            for source in sources:
                groups.setdefault((source.title, source.url, source.dated, source.read), []).append(group.replace("_", " "))
        rows = [(", ".join(names), f"[{title}]({url})", dated or "undated", read) for (title, url, dated, read), names in groups.items()]
        text = table(("Facts", "Source", "Dated", "Read"), rows)
        if self.c.unconfirmed:
            text += "\nNot confirmed:\n\n" + "".join(f"- `{key}`: {why}\n" for key, why in self.c.unconfirmed.items())
        return text


def all_gpus(clusters: dict[str, Cluster]) -> str:
    """Running systems first, then by name: status, GPU, scheduler in one look."""
    rows = []
    for c in sorted(clusters.values(), key=lambda c: (not c.running, c.name.casefold())):
        writer = Writer(c, clusters)
        whole = [(key, gpu, sum((n.count or 0) * n.gpus.get(key, 0) for n in c.node_types.values())) for key, gpu in c.gpus.items() if not gpu.is_slice]
        gpus = "<br>".join(writer.mark(f"{number:,} × {gpu.model}, {gpu.memory}", "gpus", key) for key, gpu, number in whole if number) or "not published"
        kind = {"slurm": "Slurm", "grid_engine": "Grid Engine"}[c.scheduler.kind]
        rows.append((f"[{c.name}](/clusters/{c.page}.md#at-a-glance)", writer.chip(), gpus, kind))
    return table(("Cluster", "Status", "GPUs", "Scheduler"), rows)


def running(clusters: dict[str, Cluster]) -> list[Cluster]:
    return sorted((c for c in clusters.values() if c.running), key=lambda c: c.name.casefold())


def fair_shares(clusters: dict[str, Cluster]) -> str:
    """One GPU's part of its node, on every running system that says so."""
    rows = []
    for c in running(clusters):
        writer = Writer(c, clusters)
        for key, gpu in c.gpus.items():
            if gpu.fair_share and not gpu.is_slice:
                cores = writer.mark(plural(gpu.fair_share.cores, "core"), "gpus", key, "fair_share")
                rows.append((f"[{c.name}](/clusters/{c.page}.md#what-a-job-must-say-and-its-limits)", f"{gpu.model}, {gpu.memory}", cores, gpu.fair_share.memory or "not published"))
    return table(("Cluster", "One GPU", "Its CPUs", "Its memory of the node"), rows)


def gpu_partitions(clusters: dict[str, Cluster]) -> str:
    """Where a GPU job goes on every running system, and how long it may run there."""
    rows = []
    for c in running(clusters):
        writer = Writer(c, clusters)
        names = [writer.mark(f"`{key}`", "partitions", key) + (f": {p.max_time.words}" if p.max_time else "")
                 for key, p in c.partitions.items() if any(c.node_types[n].gpus for n in p.node_types)]
        chosen = "leave it out: Slurm picks one" if c.policy.partition.rule is Rule.LEAVE_OUT else "<br>".join(names) or "not published"
        rows.append((f"[{c.name}](/clusters/{c.page}.md#what-a-job-must-say-and-its-limits)", chosen))
    return table(("Cluster", "GPU partitions, and the longest job in each"), rows)


def lifecycle(clusters: dict[str, Cluster]) -> str:
    """What is gone and what replaced it, latest first; then what has a planned end."""
    gone = sorted((c for c in clusters.values() if not c.running), key=lambda c: str(c.status.ended or ""), reverse=True)
    rows = [(c.name, Writer(c, clusters).chip(), Writer(c, clusters).successor() or "none") for c in gone]
    ending = [c for c in clusters.values() if c.running and c.status.planned_end]
    rows += [(c.name, f"runs, planned end {c.status.planned_end}", Writer(c, clusters).successor() or "not named") for c in ending]
    return table(("System", "Status", "Replaced by"), rows)


PARTS = ("status", "at_a_glance", "gpus", "partitions", "rules", "software", "monitoring", "storage", "sources")


def make(clusters: dict[str, Cluster]) -> dict[Path, str]:
    """Every table: its path below `snippets/tables/`, and its text."""
    made = {Path("all-gpus.md"): all_gpus(clusters), Path("lifecycle.md"): lifecycle(clusters),
            Path("fair-shares.md"): fair_shares(clusters), Path("gpu-partitions.md"): gpu_partitions(clusters)}
    for key, cluster in clusters.items():
        writer = Writer(cluster, clusters)
        for part in PARTS:
            made[Path(key, part.replace("_", "-") + ".md")] = getattr(writer, part)()
    return made


def everything() -> dict[Path, str]:
    """Every table of the guide. Raises BadInput for the first fault in facts, limits, claims or records."""
    limits = load_limits()
    return make(load_all()) | result_tables.make(limits, load_records(limits=limits), result_tables.load_claims(limits))


def stale(made: dict[Path, str], folder: Path = TABLES) -> list[Path]:
    """Tables on disk that differ from what the facts give, are missing, or belong to no cluster."""
    there = {path.relative_to(folder) for path in folder.rglob("*.md")}
    differ = {path for path, text in made.items() if path not in there or (folder / path).read_text() != text}
    return sorted(differ | (there - made.keys()))


def write(made: dict[Path, str], folder: Path = TABLES) -> list[Path]:
    """Bring the folder up to date. Nothing is touched that is already right. Returns what changed."""
    changed = stale(made, folder)
    for path in changed:
        if path in made:
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(made[path])
        else:
            (folder / path).unlink()
    for empty in [d for d in folder.iterdir() if d.is_dir() and not any(d.iterdir())]:
        shutil.rmtree(empty)
    return changed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m scripts.tables", description=__doc__)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a table is stale")
    check = parser.parse_args().check
    made = everything()  # every fact is read before anything is written
    if check:
        if old := stale(made):
            raise BadInput(TABLES.relative_to(ROOT) / old[0], None, f"{len(old)} table(s) differ from the facts.", "Run `make tables`.")
        print(f"{len(made)} tables agree with the facts.")
        return 0
    for path in write(made):
        print(f"wrote {(TABLES / path).relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    run(main)
