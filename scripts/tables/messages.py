"""The pages of messages: each a heading with its exact text, what it means, the fix, who says it."""

import re
from itertools import groupby

from scripts.facts.units import Date, day
from scripts.messages.load import FACTS, TWINS, Entry, load_messages
from scripts.messages.model import Systems
from scripts.tables.cluster import Clusters, link

HEARD = {TWINS: "our [simulated scheduler](/learn/glossary.md#twin)", FACTS: "the operator's own words"}
ON = {
    Systems.ALL: "All systems",
    Systems.SLURM: "All systems with Slurm",
    Systems.GRID_ENGINE: "All systems with Grid Engine",
    Systems.NVIDIA: "All systems with NVIDIA GPUs",
    Systems.AMD: "All systems with AMD GPUs",
}
WHERE = {"rocm": "on AMD GPUs", "retired": "on a retired system"}


def pages(clusters: Clusters) -> dict[str, str]:
    """File under the tables -> its text; a file for each page."""
    by_page = groupby(load_messages(clusters), key=lambda entry: entry.page)
    return {f"messages/{name}.md": _page(list(entries), clusters) for name, entries in by_page}


def _page(entries: list[Entry], clusters: Clusters) -> str:
    text = ""
    for _, of_group in groupby(entries, key=lambda entry: id(entry.group)):
        group = list(of_group)
        words = group[0].group.words
        text += f"## {group[0].group.heading}\n\n" + (f"{words}\n\n" if words else "")
        text += "".join(_entry(entry, clusters) for entry in group)
    return text


def code(text: str) -> str:
    """As code, whatever it has in it."""
    ticks = "`" * (1 + max((len(run) for run in re.findall("`+", text)), default=0))
    blank = " " if len(ticks) > 1 else ""
    return f"{ticks}{blank}{text}{blank}{ticks}"


def _entry(entry: Entry, clusters: Clusters) -> str:
    message = entry.message
    first, *others = message.texts
    signs = [] if message.in_words else [each for each in message.beside or [] if each not in "\n".join(message.texts)]
    also = ", ".join(code(each) for each in others if each not in first)
    if signs[1:]:
        also += f"{also and ', or any of these messages '}with {' or '.join(map(code, signs[1:]))}"
    rare = " data-search-exclude" if message.rare or entry.group.rare else ""
    words = message.in_words or (signs and f"with {code(signs[0])}") or WHERE.get(message.fact, "")
    beside = f" {words}" if words else ""
    parts = [f"### {code(first)}{beside} {{ #{entry.key}{rare} }}"]
    if also:
        parts.append(f"Also {also}\n{{: .also }}")
    fix = [f"**Fix:** {message.do}\n{{: .cure }}"]
    if message.now:
        was = f"Instead of {code(message.was)},<br>write " if message.was else ""
        fix.append(f"{was}{code(message.now)}\n{{: .line }}")
    parts += [message.means, *fix]  # in this order, since the fix speaks of what the message means
    if message.see:
        parts.append(f"More: {message.see}" + "." * ("?]" not in message.see))
    parts.append(_told(entry, clusters) + "\n{: .told }")
    return "\n\n".join(parts) + "\n\n"


def _told(entry: Entry, clusters: Clusters) -> str:
    """On which systems, and where the text is from."""
    on = ON[entry.on] if entry.on else ", ".join(link(clusters[key]) for key in entry.systems)
    if entry.source:
        dated = f", {day(entry.source.dated)}" if entry.source.dated else ""
        source = f"[{entry.source.title}]({entry.source.url}){dated} (retrieved {Date(entry.source.read).words})"
    else:
        source = HEARD[entry.of]
    own = f"[Explanation for your system](/jobscript.md?message={entry.key}#mode=explain)"
    return f"{own} · {on} · Message source: {source}"
