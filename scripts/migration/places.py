"""Paths, by what they are for; and the local disk that a job asks for."""

from collections.abc import Iterator

from scripts.facts.model import Cluster, Place
from scripts.facts.places import kind, paths
from scripts.migration.line import Line, doubtful

GONE = ("deleted", "as on")  # how `kept` begins where it tells of the old data, not of a rule


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    for path, place in paths(old):
        yield _path(new, path, place)
    yield from _disk(old, new)


def _path(new: Cluster, path: str, place: Place) -> Line:
    data = _old_data(new, place)
    gone = place.kept.startswith("deleted")
    other = next((each for each in paths(new) if kind(each[0]) and kind(each[0]) == kind(path)), None)
    if not other:
        return Line("path", path, "", f"{new.name} has no equivalent of this directory.{data}", lost=True)
    now, there = other
    smaller = there.size and place.size and there.size.mib < place.size.mib
    size = f"{there.size} (previously {place.size})" if there.size and place.size else there.size or ""
    about = ", ".join(filter(None, [size, f"kept {there.retention}"]))
    reason, doubt = f"{kind(path)}: {about}.{data}", doubtful(new, f"storage.{there.path}")
    return Line("path", path, now, reason, bool(gone or smaller), doubt)


def _old_data(new: Cluster, place: Place) -> str:
    """What became of the reader's files; empty where the facts do not say."""
    if place.kept.startswith(f"as on {new.name}, which has the same file systems"):
        return f" Your files are already on {new.name}."
    return f" Your old data was {place.kept}." if place.kept.startswith(GONE) else ""


def _disk(old: Cluster, new: Cluster) -> Iterator[Line]:
    """Local disk that was asked for like a GPU."""
    for with_gpu, which in ((True, "GPU nodes"), (False, "CPU-only nodes")):
        before, after = (
            [node for node in cluster.node_types.values() if bool(node.gpus) is with_gpu] for cluster in (old, new)
        )
        for name in dict.fromkeys(name for node in before for name in node.gres):
            most = max(node.gres.get(name, 0) for node in before)
            prefix = f"{next(iter(old.gpus.values())).request}," if with_gpu else "--gres="
            own = next((each for each in paths(new) if kind(each[0]) == "The node's own disk"), None)
            where = [
                f"`{key}`"
                for key, partition in new.partitions.items()
                if any(new.node_types[n] in after and name in new.node_types[n].gres for n in partition.node_types)
            ]
            now = f"--gres={name}:<GB>" if where else own[0] if own else ""
            why = f"Of the {which}, only those in {' and '.join(where)} let you request local disk. " if where else ""
            if own:
                kinds = [key for key, node in new.node_types.items() if bool(node.gpus) is with_gpu]
                sizes = list(dict.fromkeys(str(own[1].sizes.get(key, own[1].size)) for key in kinds))
                size = " or ".join(sizes) + ", depending on the node" * (len(sizes) > 1)
                why += f"On {which}, every job gets `{own[0]}`: {size} ({own[1].use}). "
            why += f"The old limit was {most:,} GB per node."
            yield Line("local disk", f"{prefix}{name}:<GB>", now, why, lost=True)
