"""The tables of published job scripts: of each system or operator so many, accepted or not, and why not."""

from collections import Counter

from scripts.facts import Cluster
from scripts.markdown import table
from scripts.published.record import WHY, load_guides, load_published, share, share_of_guides


def published(clusters: dict[str, Cluster]) -> str:
    """Users' scripts, by system."""
    counts = share()
    sums = sum(counts.values(), Counter())
    total, accepted, left = sums.total(), sums["accepted"], sums["not judged"]
    return (
        f"Of **{total}** scripts from {len(load_published())} sources, our simulated schedulers accept **{accepted}**"
        f" ({100 * accepted / total:.0f}%) and reject {total - accepted - left}."
        f" Only the cluster itself can judge the other {left}.\n\n"
        + _table(["System"], {(clusters[key].name,): of_it for key, of_it in counts.items()})
    )


def guides() -> str:
    """Scripts of the operators' guides, by operator."""
    counts = share_of_guides()
    sums = sum(counts.values(), Counter())
    total, left = sums.total(), sums["not judged"]
    judged, dated = total - left, {guide.operator: "" for guide in load_guides().values()}
    for guide in load_guides().values():
        dated[guide.operator] = max(dated[guide.operator], guide.dated)
    return (
        f"Of **{total}** job scripts that these guides contain, the engine checks **{judged}**"
        f" ({int(1000 * judged / total) / 10}%). It accepts {sums['accepted']}, rejects {judged - sums['accepted']},"
        f" and leaves {left} to the cluster.\n\n"
        + _table(["Operator", "As of"], {(name, dated[name]): of_it for name, of_it in counts.items()})
    )


def _table(heads: list[str], counts: dict[tuple[str, ...], Counter[str]]) -> str:
    """A row for each, the largest first; then what the reasons mean."""
    sums = sum(counts.values(), Counter())
    rows = [
        (*name, of_it.total(), of_it["accepted"], of_it["not judged"])
        + (", ".join(f"{of_it[why]} {why}" for why in WHY if of_it[why]) or "0",)
        for name, of_it in sorted(counts.items(), key=lambda item: -item[1].total())
    ]
    reasons = "".join(f"- *{why}* ({sums[why]}): {words}.\n" for why, words in WHY.items() if sums[why])
    return f"{table([*heads, 'Scripts', 'Accepted', 'Not checked', 'Rejected, and why'], rows)}\n{reasons}"
