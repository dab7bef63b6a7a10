"""The programs that fine-tune a language model: what they print, load and save."""

import re
import subprocess
import sys

import pytest

from scripts.paths import ROOT
from tests.snippets.collector import until_changed
from tests.snippets.sandbox import environment_in

NEEDS = ("language_model", "torchvision")
PROGRAMS = ROOT / "snippets/programs"

# What the files say and what training saved, and the loss of the last batch in one process, without sharding.
COMPARE = """
import torch, transformers
from safetensors.torch import load_file
before, after = (load_file(f"{folder}/model.safetensors") for folder in ("model", "tuned"))
assert before.keys() == after.keys() and all(torch.equal(before[key], after[key]) for key in before)
tokens = transformers.AutoTokenizer.from_pretrained("tuned")(open("text.txt").read(), return_tensors="pt").input_ids[0]
data = tokens.unfold(0, 512, 512)
batch = data[[(9 * 2) % len(data)]]
print(transformers.AutoModelForCausalLM.from_pretrained("tuned")(input_ids=batch, labels=batch).loss.item())
"""

# In each process: run the program, then hold what no file says, the rotary frequencies, against a model that loads.
IN_EACH = """
import runpy, sys, torch, transformers
del sys.argv[0]
sharded = runpy.run_path(sys.argv[0])["model"]
whole = transformers.AutoModelForCausalLM.from_pretrained("model")
buffers = dict(sharded.named_buffers())
assert buffers and all(torch.equal(buffer, whole.get_buffer(key)) for key, buffer in buffers.items())
"""


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Run Python where the small model lies; returns what a run printed, and its exit code."""
    folder = tmp_path_factory.mktemp("model")
    environment = environment_in(folder, NEEDS)
    subprocess.run(
        [sys.executable, "-m", "tests.snippets.language_model", folder], cwd=ROOT, env=environment, check=True
    )

    def run(*command, code=0):
        done = subprocess.run(
            [sys.executable, *command], cwd=folder, env=environment, capture_output=True, encoding="utf-8"
        )
        assert done.returncode == code, done.stderr
        return done.stdout + done.stderr

    run.folder = folder
    return run


@pytest.mark.parametrize("name", ["finetune", "finetune_full"])
def test_the_loss_that_a_page_shows_falls(name):
    shown = (PROGRAMS / f"{name}.out").read_text(encoding="utf-8")
    losses = [float(loss) for loss in re.findall(r"loss ([\d.]+)", shown)]
    assert len(losses) > 2 and losses[-1] < min(losses[:-1]) and losses[-1] < losses[0] - 0.1


@until_changed(PROGRAMS / "finetune.py")
def test_a_text_that_is_too_short_ends_with_one_sentence(model):
    (model.folder / "short.txt").write_text("A GPU is busy.", encoding="utf-8")
    said = model(PROGRAMS / "finetune.py", "model", "short.txt", code=2)
    assert said.splitlines()[-1].endswith("error: short.txt has fewer than 512 tokens, one sequence")


@pytest.mark.nightly
def test_sharded_weights_are_the_files_and_compute_the_same_loss(model):
    start = ["-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2"]
    (model.folder / "in_each.py").write_text(IN_EACH, encoding="utf-8")
    said = model(*start, "in_each.py", PROGRAMS / "finetune_full.py", "model", "text.txt", "10", "0")
    sharded = float(re.search(r"step 10: loss ([\d.]+)", said)[1])
    whole = float(model("-c", COMPARE).split()[0])
    assert sharded == pytest.approx(whole, abs=0.02)  # two decimals, and 16 bits
