"""The picture of a trace shows what was recorded, and only that."""

from xml.etree import ElementTree

import pytest

from scripts.measure import plots, traces
from scripts.measure.traces import Span


def event(name: str, start: float, length: float, kind: str = "cpu_op") -> dict:
    return {"ph": "X", "name": name, "ts": 1000 * start, "dur": 1000 * length, "cat": kind}


def test_a_trace_is_shortened_to_its_parts_and_outermost_operations():
    inner, tiny, before = event("aten::addmm", 16, 3), event("aten::view", 20, 0.01), event("aten::zeros", 1, 2)
    parts = [event("load", 5, 10, "user_annotation"), event("train", 15, 6, "user_annotation")]
    other = [event("ProfilerStep#2", 5, 16, "user_annotation"), {"ph": "M", "name": "process_name"}]
    shortened = traces.shorten({"traceEvents": [*other, tiny, inner, event("aten::linear", 15.5, 4), before, *parts]})
    assert shortened == [("load", 0, 10), ("train", 10, 6), ("aten::linear", 10.5, 4)]


def test_bars_are_as_long_as_what_they_show():
    text = plots.trace_plot({"slow": [Span("load", 0, 75), Span("train", 75, 25)], "fast": [Span("aten::add", 0, 50)]})
    legend, bars = 3, ElementTree.fromstring(text).findall("{http://www.w3.org/2000/svg}rect")
    widths = [float(bar.get("width")) / plots.LENGTH for bar in bars[legend:]]
    assert widths == pytest.approx([0.75, 0.25, 0.5], rel=0.01)


def test_what_was_recorded_shows_the_lesson():
    """Without workers the loader takes most of each step; with them, training does."""
    waits, feeds = traces.load_runs().values()
    load, train = (sum(span.length for span in waits if span.name == name) for name in traces.PARTS)
    assert 4 < load / train < 5
    assert max(span.start + span.length for span in feeds) < max(span.start for span in waits) / 2
