"""A time that a page prints shows what the page teaches; where it cannot, it is omitted.

A fresh run is held against correctness alone. What is held against the lesson here is the output that was recorded.
"""

import re
from itertools import pairwise

import pytest
import torch

from scripts import programs
from scripts.measure.cases import elementwise_product
from scripts.measure.limits import load_limits
from scripts.paths import PROGRAMS

TIMED = re.compile(r"\d (?:s|ms|us|µs|TFLOP/s|GB/s|samples/s|pictures/s|W)\b|% of a step")


def column(text: str, pattern: str) -> list[float]:
    return [float(found) for found in re.findall(pattern, text)]


def rises(values: list[float]) -> bool:
    return len(values) > 2 and all(one < other for one, other in pairwise(values))


def a_larger_batch_takes_longer_and_each_sample_less(text: str) -> bool:
    return rises(column(text, r"([\d.]+) ms,")) and rises(column(text, r"([\d.]+) ms for each")[::-1])


def a_large_system_does_more_in_a_second_than_many_small_ones(text: str) -> bool:
    small, large = (int(x) * int(n) ** 3 / float(ms) for x, n, ms in re.findall(r"(\d+) x (\d+) .*: ([\d.]+) ms", text))
    return small < large


def a_compiled_loop_is_faster(text: str) -> bool:
    called, compiled = column(text, r"([\d.]+) us")
    return compiled < called


def the_slow_loader_takes_most(text: str) -> bool:
    load, train = column(text, r"(\d+)% of a step")
    return load > 2 * train


def the_rate_is_that_of_the_time(text: str) -> bool:
    """And no lesson on speed: of the small size nothing is said."""
    n, ms, rate = (column(text, each)[0] for each in (r"\n(\d+) x", r"median ([\d.]+)", r"([\d.]+) TFLOP/s"))
    return 2 * n**3 / ms / 1e9 == pytest.approx(rate, rel=0.01)


def the_large_product_does_more_in_a_second_than_the_small_one(text: str) -> bool:
    """The first product is of 2048 x 2048 numbers, matmul.py's at full size of 8192."""
    large = (programs.ON_GPU / "matmul.out").read_text(encoding="utf-8")
    return column(text, r"([\d.]+) TFLOP/s") < column(large, r"([\d.]+) TFLOP/s")


def each_way_is_faster_than_the_one_before(text: str) -> bool:
    return rises(column(text, r"([\d.]+) (?:m?s)\b(?! a)")[::-1])


def the_bytes_on_the_device_are_faster(text: str) -> bool:
    memory, device = column(text, r"([\d.]+) s per epoch")
    return device < memory


def copies_that_overlap_are_faster(text: str) -> bool:
    in_turn = (programs.ON_GPU / "multiply_arrays.out").read_text(encoding="utf-8")
    return column(text, r"([\d.]+) ms")[0] < column(in_turn, r"pinned memory +on cuda: +([\d.]+) ms")[0]


def workers_help(text: str) -> bool:
    return rises(column(text, r"([\d.]+) samples/s"))


def an_idle_gpu_uses_power(text: str) -> bool:
    return "sleep" in text and 20 < column(text, r"([\d.]+) W on average")[0] < 150


def caches_are_not_memory(text: str) -> bool:
    return column(text, r"--megabytes (\d+)")[0] >= 1024 if "--megabytes" in text else True


LESSONS = {
    "layer": a_larger_batch_takes_longer_and_each_sample_less,
    "linear_systems": a_large_system_does_more_in_a_second_than_many_small_ones,
    "linear_regression": a_compiled_loop_is_faster,
    "profile_steps": the_slow_loader_takes_most,
    "matmul": the_rate_is_that_of_the_time,
    "first_product": the_large_product_does_more_in_a_second_than_the_small_one,
    "bandwidth": caches_are_not_memory,
    "multiply_arrays": each_way_is_faster_than_the_one_before,
    "overlap_copies": copies_that_overlap_are_faster,
    "feed_bytes": the_bytes_on_the_device_are_faster,
    "feed_gpu": workers_help,
    "gpu_energy": an_idle_gpu_uses_power,
}


def activations_grow_with_the_batch_and_nothing_else_does(text: str) -> bool:
    batches, *parts = zip(
        *(map(float, row) for row in re.findall(r"batch +(\d+)" + r" +([\d.]+)" * 4, text)), strict=True
    )
    weights, gradients, optimizer, activations = parts
    same = len({*weights, *gradients}) == 1 and optimizer[0] == pytest.approx(2 * weights[0], rel=0.01)
    each = [size / batch for size, batch in zip(activations, batches, strict=True)]
    return same and len(set(optimizer)) == 1 and each == pytest.approx([each[-1]] * 3, rel=0.1)


def the_second_way_stores_at_most_a_quarter(text: str) -> bool:
    first, second = (int(found.replace(",", "")) for found in re.findall(r"([\d,]+) bytes", text))
    return second <= first / 4


def each_process_stores_half(text: str) -> bool:
    whole, *parts = (int(found.replace(",", "")) for found in re.findall(r"([\d,]+) parameters", text))
    return parts == [whole / 2] * 2


COUNTED = {
    "memory_parts": activations_grow_with_the_batch_and_nothing_else_does,
    "accumulate": the_second_way_stores_at_most_a_quarter,
    "recompute": the_second_way_stores_at_most_a_quarter,
    "fsdp": each_process_stores_half,
}
COMPUTED = {"least_time"}  # its times are worked out


@pytest.mark.parametrize("shown", sorted(PROGRAMS.rglob("*.out")), ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_a_time_that_is_printed_shows_the_lesson(shown):
    text = shown.read_text(encoding="utf-8")
    if programs.OMITTED in text:
        assert not programs.TIME.search(text.partition("\n")[2]), f"{shown.name} omits some times, and prints others"
    if programs.OMITTED in text or not TIMED.search(text) or shown.stem in COMPUTED:
        return
    assert shown.stem in LESSONS, f"{shown.name} prints a time: which lesson does it show? Or omit it."
    lesson = LESSONS[shown.stem]
    assert lesson(text), f"{shown.name} does not show that {lesson.__name__.replace('_', ' ')}; omit it:\n{text}"


@pytest.mark.parametrize("program", COUNTED)
def test_a_count_that_is_printed_shows_the_lesson(program):
    for shown in PROGRAMS.rglob(f"{program}.out"):
        assert COUNTED[program](shown.read_text(encoding="utf-8")), shown


def test_what_the_lessons_say_of_numbers_is_so():
    """Each stood otherwise on a page once."""
    assert torch.backends.cudnn.allow_tf32 and torch.get_float32_matmul_precision() == "highest"
    weight = torch.linspace(1, 2, 1000, dtype=torch.bfloat16)
    assert torch.equal(weight, weight + weight / 520) and not torch.equal(weight, weight + weight / 250)
    h100, million = load_limits()["h100-sxm5-80gb"], 1_000_000
    assert f"{million:_}" in (PROGRAMS / "vectorize.py").read_text(encoding="utf-8")
    there_and_back = elementwise_product(million, moved=True, overlapped=False)
    assert h100.shortest(there_and_back) == (pytest.approx(0.19e-3, rel=0.01), "link")
