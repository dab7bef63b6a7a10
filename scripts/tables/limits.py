"""Limits in a reader's own case: the table of a few sizes, and what the page's calculator reckons with.

A row for each GPU of each running system, with the processors of its node.
"""

import json
from collections.abc import Iterator
from dataclasses import dataclass

from scripts.engine import host
from scripts.facts.model import Cluster, NodeType
from scripts.markdown import table
from scripts.measure.cases import RESNET152_FLOP
from scripts.measure.limits import Device, Limits, Rates, load_file
from scripts.paths import MADE
from scripts.tables.cluster import Clusters, link, mark_part, plural

JS = MADE / "limits.js"
# The sizes that the page begins with; a training step is that of train_resnet152.py.
SIZES = {
    "product": {"rows": 8192, "inner": 8192, "columns": 8192},
    "elementwise": {"numbers": 1_000_000_000, "read": 2, "written": 1, "operations": 1},
    "copy": {"megabytes": 4096},
    "training": {"batch": 1024, "gflop": round(RESNET152_FLOP / 3e9, 3), "kilobytes": 3 * 32 * 32 * 4 / 1e3},
}
# What the table shows, and how its head says it.
SHOWN = {
    "product": "Multiplying two 8192 x 8192 matrices, float32",
    "elementwise": "Multiplying 10^9 pairs of float32 numbers",
}


@dataclass(frozen=True)
class Beside:
    """A GPU of a running system, in one kind of node."""

    cluster: Cluster
    key: str  # of the GPU
    node: str
    device: str

    @property
    def node_type(self) -> NodeType:
        return self.cluster.node_types[self.node]

    @property
    def gpus(self) -> int:
        return self.node_type.gpus[self.key]

    def rates(self, limits: Limits) -> Rates | None:
        """Of its node's processors, where the facts name them and limits.yml knows them."""
        node, host = self.node_type, limits.hosts.get(self.node_type.cpu or "")
        return host.rates(node.sockets, node.cores) if host and node.sockets and node.cores else None


def found(clusters: Clusters) -> Iterator[Beside]:
    """Each GPU with each kind of host once; slices and GPUs whose form is not known are left out."""
    for cluster in sorted(clusters.values(), key=lambda cluster: cluster.name.casefold()):
        seen = set()
        for name, node in cluster.node_types.items() if cluster.running else ():
            for key in node.gpus:
                device = cluster.gpus[key].device if key in cluster.gpus else None
                host = (key, node.cpu, node.sockets, node.cores, node.gpus[key])
                if device and host not in seen:
                    seen.add(host)
                    yield Beside(cluster, key, name, device)


def few_sizes(clusters: Clusters) -> str:
    limits = load_file()
    parts = [_table(list(found(clusters)), limits, *shown) for shown in SHOWN.items()]
    return "\n".join([*parts, _unknown(list(found(clusters)), limits)])


def _table(rows: list[Beside], limits: Limits, operation: str, words: str) -> str:
    asked = [
        {
            "device": device(limits.devices[row.device]),
            "host": _rates(rates) if (rates := row.rates(limits)) else None,
            "operation": operation,
            "precision": "float32",
            "given": SIZES[operation],
            "start": limits.start.seconds,
        }
        for row in rows
    ]
    lines = []
    for row, said in zip(rows, host.call("leastTimes", asked), strict=True):
        linked, cpus = (f"**{said[name]}**" if said["less"] == name else said[name] for name in ("linked", "cpus"))
        beside = f"{cpus}, {_host(row)}" if said["cpus"] else "not known"
        lines.append((f"{link(row.cluster)}: {limits.devices[row.device].name}", said["inside"], linked, beside))
    return table((words, "Data on the GPU", "Data on the host", "All CPUs of the node"), lines)


def _host(row: Beside) -> str:
    cores = mark_part(row.cluster, plural(row.node_type.cores or 0, "core"), "node_types", row.node, "cores")
    return f"on a node with {cores} and {plural(row.gpus, 'GPU')}"


def _unknown(rows: list[Beside], limits: Limits) -> str:
    names = dict.fromkeys(
        f"{row.cluster.name} ({limits.devices[row.device].name})" for row in rows if not row.rates(limits)
    )
    told = "*Not known* means that we found no page with the CPU model or its rates. This applies to"
    return f"{told} {', '.join(names)}.\n"


def as_js(clusters: Clusters) -> str:
    """The same limits for the page's script. A script, since a page in a folder may read no other file."""
    limits, rows = load_file(), list(found(clusters))
    devices = {key: device(limits.devices[key]) for key in dict.fromkeys(row.device for row in rows)}
    systems = [
        {"system": row.cluster.name, "device": row.device, "gpus": row.gpus, "cores": row.node_type.cores}
        | ({"host": _rates(rates)} if (rates := row.rates(limits)) else {})
        for row in rows
    ]
    data = {"start": limits.start.seconds, "sizes": SIZES, "devices": devices, "systems": systems}
    lines = json.dumps(data, ensure_ascii=False).replace('}, "', '},\n"').replace('}, {"system"', '},\n{"system"')
    return f"const LIMITS = {lines}\n"


def device(given: Device) -> dict:
    """As the engine has it: bytes, GB/s, TFLOP/s."""
    return {
        "name": given.name,
        "memory": round(given.memory.mib * 2**20),
        "cache": round(given.l2.mib * 2**20),
        "memoryRate": given.hbm_gb_per_s,
        "linkRate": None if given.one_memory else given.link_gb_per_s,
        "tflops": given.tflops,
        "ordinary": given.ordinary_tflops,
    }


def _rates(rates: Rates) -> dict:
    tflops = {name: round(rate, 6) for name, rate in rates.tflops.items()}
    return {"cache": round(rates.cache_bytes), "memoryRate": rates.memory_gb_per_s, "tflops": tflops}


TABLES = {"limits.md": few_sizes}
