"""`guide fit`: one answer in words and as data, and a sentence for what it cannot answer."""

import json
import re

import pytest

from scripts.engine import __main__ as tool
from scripts.engine.data.fit import fit
from scripts.facts import load_all
from scripts.tables import fit as tables


def run(monkeypatch, capsys, *words: str) -> tuple[int, str, str]:
    monkeypatch.setattr("sys.argv", ["guide", "fit", *words])
    return tool.main(), *capsys.readouterr()


def test_it_lists_the_bytes_by_part_and_the_gpus(monkeypatch, capsys):
    status, out, _ = run(monkeypatch, capsys, "Llama 3.1 8B", "--system", "narval")
    assert status == 0 and re.search(r"weights +16\.1 GB\n +KV cache +540 MB\n", out)
    assert re.search(r"A100 SXM4, 40 GB +1 of 4 +at most \d+ tokens/s", out) and "slice, 5 GB" in out
    data = json.loads(run(monkeypatch, capsys, "Llama 3.1 8B", "--system", "narval", "--json")[1])
    assert data["total"] == sum(part["bytes"] for part in data["parts"][:-1])


@pytest.mark.parametrize(
    "words, status",
    [
        (["lama"], 2),
        (["7B", "--batch", "0"], 2),
        (["Llama 3.1 8B", "--rate", "1e6"], 1),
        (["Llama 3.1 405B", "--system", "narval", "--use", "full"], 1),
    ],
)
def test_what_cannot_be_had_says_so(monkeypatch, capsys, words, status):
    found, out, errors = run(monkeypatch, capsys, *words)
    assert found == status and (out or errors).strip() and errors.count("\n") <= 1


def test_the_tables_have_every_sample_and_gpu():
    clusters = load_all()
    assert tables.parts(clusters).count("\n") == len(tables.SAMPLES) + 2
    labels = {gpu["label"] for gpu in fit()["gpus"] if not gpu["slice"]}
    told = tables.places(clusters)
    assert {label for label in labels if label not in told} == {"NVIDIA RTX 2080 Ti, 11 GB"}, "a job has at most two"
