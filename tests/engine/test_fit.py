"""`guide fit`: one answer in words and as data, and a sentence for what it cannot answer."""

import json
import re

import pytest

from scripts.engine import __main__ as tool
from scripts.engine.ask import ask
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


@pytest.mark.parametrize("model", ["Llama 2 13B", "13B", "Llama 3.1 70B"])
def test_a_model_larger_than_a_gpu_leads_to_a_script_that_shards_it(monkeypatch, capsys, model):
    asked = {"model": model, "use": "full", "checkpointing": True}
    (found,) = ask("fit", [], [asked])
    assert any("FSDP" in note for note in found["notes"]) and any(place["gpus"] > 1 for place in found["places"])
    jobs = {place["form"]: ask("write", load_all().values(), [place["form"]])[0] for place in found["places"]}
    written = {form: job["script"] for form, job in jobs.items() if "script" in job}
    assert {form.split("&")[0] for form in jobs} >= {f"cluster={key}" for key in ("kestrel", "lumi", "nibi", "narval")}
    assert len(jobs) - len(written) <= 2, "no PyTorch for MI300A and V100, and no 16 GPUs for everybody on Roihu"
    assert all(script.endswith("fsdp.py\n") == ("shard" in form) for form, script in written.items())
    out = run(monkeypatch, capsys, model, "--use", "full", "--checkpointing", "--system", "kestrel")[1]
    assert out.endswith("&shard=yes'\n"), out
    (answer,) = ask("fit", [], [asked | {"use": "inference"}])
    assert not any("shard" in (place["form"] or "") for place in answer["places"]), "vLLM shares it out by itself"


@pytest.mark.parametrize("model", ["7B", "Llama 3.1 70B"])
def test_inference_leads_to_vllm_with_all_its_gpus_or_to_the_page(monkeypatch, capsys, model):
    (found,) = ask("fit", [], [{"model": model}])
    forms = {place["form"]: place for place in found["places"] if place["form"]}
    scripts = {form: ask("write", load_all().values(), [form])[0].get("script", "") for form in forms}
    assert {place["key"] for place in forms.values()} >= {"fir", "lumi", "nibi", "roihu"}
    for form, place in forms.items():
        several = f"--tensor-parallel-size {place['gpus']}\n"
        assert "vllm" in scripts[form] and (several in scripts[form]) == (place["gpus"] > 1), form
    assert all(place["page"] for place in found["places"] if place["gpus"] and not place["form"])
    assert "language-models.html#vllm" in run(monkeypatch, capsys, model, "--system", "kestrel")[1]


def test_lora_on_one_gpu_leads_to_the_guides_program():
    (found,) = ask("fit", [], [{"model": "Qwen3 8B", "use": "lora"}])
    forms = [place["form"] for place in found["places"] if place["gpus"] == 1]
    scripts = [ask("write", load_all().values(), [form])[0]["script"] for form in forms if "finetune" in form]
    assert {form.split("&")[0].removeprefix("cluster=") for form in forms if "finetune" in form} >= {"lumi", "rivanna"}
    assert all("HF_HUB_OFFLINE=1" in script and "finetune.py" in script for script in scripts)
    (found,) = ask("fit", [], [{"model": "Qwen3 8B", "use": "lora", "precision": "4-bit"}])
    assert not any("finetune" in (place["form"] or "") for place in found["places"]), "the program loads bfloat16"


def test_the_cheapest_gpu_of_a_system_comes_first_and_four_have_a_reason(monkeypatch, capsys):
    out = run(monkeypatch, capsys, "Qwen2.5 14B", "--system", "rivanna")[1]
    assert 0 < out.index("A40, 48") < out.index("A100, 40") < out.index("V100, 32 GB      "), out
    out = run(monkeypatch, capsys, "Qwen2.5 14B", "--system", "nibi")[1]
    assert "jobs with AMD MI300A have 4 GPUs" in out and "MI300A" not in out.split("On Nibi")[0]


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
