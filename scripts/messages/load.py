"""All messages, checked against each other, the sources and the facts."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from scripts.errors import BadInput, did_you_mean, refuse
from scripts.facts import Cluster
from scripts.facts.limits import Group as LimitGroup
from scripts.facts.limits import rows
from scripts.facts.model import Source
from scripts.messages.model import Group, Message, Page, Sources, Systems
from scripts.models import load_model
from scripts.paths import OURS, SNIPPETS, shown

FOLDER = SNIPPETS / "messages"
SOURCES = "sources.yml"
SEE = "See scripts/messages/model.py."
TWINS, FACTS = "twins", "facts"
ADDRESS = re.compile("https://")
PLACE = re.compile(r"\{\w+\}")  # in a limit's refusal
THREAD = re.compile(r"https://github\.com/(?P<name>[^/]+/[^/]+)/(?P<kind>issues|pull)/(?P<number>\d+)")
FILE = re.compile(r"https://github\.com/(?P<name>[^/]+/[^/]+)/blob/[^/]+/(?P<path>.+)")


@dataclass(frozen=True)
class Entry:
    """A message with what its group says of it. page: the file's stem. systems: keys of those that say it.

    message: as its page shows it; `group.messages[key]` has the places for what is pasted.
    """

    key: str
    page: str
    group: Group
    message: Message
    of: str
    source: Source | None
    systems: tuple[str, ...]
    on: Systems | None


def load_messages(clusters: dict[str, Cluster], folder: Path = FOLDER) -> list[Entry]:
    """Every message, in the order of its page. Raises BadInput with every fault of a file."""
    sources = load_model(folder / SOURCES, Sources, SEE)[0].root
    entries: list[Entry] = []
    for path in sorted(folder.glob("*.yml")):
        if path.name == SOURCES:
            continue
        page, lines = load_model(path, Page, SEE)
        faults, before = [], {entry.key for entry in entries}
        for number, group in enumerate(with_texts(page, path).groups):
            for key, message in group.messages.items():
                found = [*_faults(group, message, sources, clusters)]
                if key in before:
                    found.append((f"there is another `{key}`.", "Give each message a name of its own, over all files."))
                faults += [BadInput(shown(path), lines["groups", number, "messages", key], *each) for each in found]
                if not faults:
                    entries.append(_entry(path.stem, group, key, sources, clusters))
        refuse(faults)
    texts: dict[str, str] = {}
    for entry in entries:
        for text in [] if entry.message.beside or entry.message.fact else entry.message.texts:
            if (other := texts.setdefault(text, entry.key)) != entry.key:
                place = shown(folder / f"{entry.page}.yml")
                raise BadInput(place, None, f"`{text}` is a text of {other} and of {entry.key}.", "Keep one.")
    return entries


def limit_refusals() -> dict[str, str]:
    """Of the table of limits: `partitions.max_gpus` -> what the plugin says, with `…` for what differs."""
    return {
        f"{group}.{key}": PLACE.sub("…", row.refusal)
        for group in LimitGroup.__args__
        for key, row in rows(group).items()
        if row.refusal
    }


def with_texts(page: Page, path: Path) -> Page:
    """The page with texts in place of limits. An entry for `others` goes where there are none.

    Raises BadInput for a key that is not a limit with a refusal.
    """
    texts = limit_refusals()
    entries = [message for group in page.groups for message in group.messages.values()]
    named = {key for message in entries if message.limits != "others" for key in message.limits}
    for key in named - texts.keys():
        raise BadInput(shown(path), None, f"`{key}` is not a limit with a refusal.", did_you_mean(key, list(texts)))
    others = [key for key in texts if key not in named]

    def filled(message: Message) -> Message:
        keys = others if message.limits == "others" else message.limits
        return message.model_copy(update={"texts": list(dict.fromkeys(texts[key] for key in keys))})

    groups = []
    for group in page.groups:
        messages = {key: filled(each) if each.limits else each for key, each in group.messages.items()}
        found = {key: each for key, each in messages.items() if each.texts}
        groups.append(group.model_copy(update={"messages": found}))
    return page.model_copy(update={"groups": groups})


def _of(group: Group, message: Message) -> str:
    return message.of or group.of or ""


def _on(group: Group, message: Message) -> Systems | list[str]:
    return message.on or group.on or Systems.ALL


def _faults(
    group: Group, message: Message, sources: dict[str, Source], clusters: dict[str, Cluster]
) -> Iterator[tuple[str, str]]:
    """What is wrong with an entry, and the cure. Beside another collection, those of our systems alone are not."""
    of, on = _of(group, message), _on(group, message)
    if ADDRESS.match(of):
        if not (message.read or group.read):
            yield f"nobody knows when {of} was read.", "Add `read:` and the day, here or to the group."
    elif of not in {TWINS, FACTS, *sources}:
        yield f"`of: {of}` is not a source.", did_you_mean(of, [TWINS, FACTS, *sources])
    for unknown in [] if isinstance(on, Systems) or not OURS else [name for name in on if name not in clusters]:
        yield f"`on: {unknown}` is not a system.", did_you_mean(unknown, list(clusters))
    if OURS and of == FACTS and not _refusing(message, clusters):
        cure = "Take over the `refusal:` of its facts, or remove this."
        yield f"no system rejects a job with `{message.texts[0]}`.", cure
    if (message.was and not message.now) or (message.was and message.was == message.now):
        yield "`was` needs another line in `now`.", "Add the line to write instead."
    if any(text != text.strip() for text in message.texts):
        yield "a text begins or ends with a space.", "Remove it."


def _entry(page: str, group: Group, key: str, sources: dict[str, Source], clusters: dict[str, Cluster]) -> Entry:
    message = group.messages[key]
    of, on = _of(group, message), _on(group, message)
    systems = _refusing(message, clusters) if of == FACTS else _systems(on, clusters)
    shared = on if isinstance(on, Systems) and of != FACTS else None
    source = _page_read(of, message.read or group.read) if ADDRESS.match(of) else sources.get(of)
    return Entry(key, page, group, message.usual(), of, source, tuple(systems), shared)


def _page_read(address: str, day: str | None) -> Source:
    """A source that one entry names by its address."""
    thread, file = THREAD.match(address), FILE.match(address)
    if thread:
        title = f"{thread['name']}, {'issue' if thread['kind'] == 'issues' else 'pull request'} {thread['number']}"
    else:
        title = f"{file['name']}, {file['path']}" if file else address.removeprefix("https://").rstrip("/")
    return Source(title=title, url=address, read=day)


def refusals(cluster: Cluster) -> list[str]:
    """The operator's own words when a job is refused, as the facts have them."""
    policy = cluster.policy
    requirements = (getattr(policy, name) for name in type(policy).model_fields)
    return [said for requirement in requirements if (said := getattr(requirement, "refusal", None))]


def _refusing(message: Message, clusters: dict[str, Cluster]) -> list[str]:
    return [key for key, cluster in clusters.items() if set(refusals(cluster)) & set(message.texts)]


def _systems(on: Systems | list[str], clusters: dict[str, Cluster]) -> list[str]:
    if not isinstance(on, Systems):
        return [key for key in on if key in clusters]
    if on is Systems.ALL:
        return list(clusters)
    if on in (Systems.SLURM, Systems.GRID_ENGINE):
        return [key for key, cluster in clusters.items() if cluster.scheduler.kind == on]
    maker = {Systems.NVIDIA: "NVIDIA", Systems.AMD: "AMD"}[on]
    return [key for key, cluster in clusters.items() if any(maker in gpu.model for gpu in cluster.gpus.values())]
