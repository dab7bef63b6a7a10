"""The counts in models.csv are those of real layers of the same shape, which torch builds on the meta device."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from scripts.measure.language_models import NO_CACHE, LanguageModel, load_models

if TYPE_CHECKING:
    from torch import nn

MODELS = load_models()
BIASED = {"qwen2"}  # its queries, keys and values have a bias
GATED = ("llama", "mistral", "qwen2", "qwen3", "phi3")
PLAIN = (*GATED, "gpt2", *NO_CACHE)  # torch has their layers


def layer(model: LanguageModel) -> nn.Module:
    """One layer: of a gated decoder, or as PyTorch's own encoder has it."""
    from torch import nn

    if model.type not in GATED:
        return nn.TransformerEncoderLayer(model.hidden, model.heads, model.inner)
    queries, keys = model.heads * model.head, model.kv * model.head
    linear = [(model.hidden, width, model.type in BIASED) for width in (queries, keys, keys)]
    linear += [(queries, model.hidden, False), (model.inner, model.hidden, False)]
    linear += [(model.hidden, model.inner, False)] * 2
    norms = [model.hidden] * 2 + [model.head] * 2 * (model.type == "qwen3")
    return nn.ModuleList([nn.Linear(*each[:2], bias=each[2]) for each in linear] + [nn.RMSNorm(size) for size in norms])


def size(module: nn.Module) -> int:
    return sum(parameter.numel() for parameter in module.parameters())


@pytest.mark.parametrize("model", [each for each in MODELS if each.type in PLAIN], ids=lambda model: model.name)
def test_the_parameters_are_those_of_its_layers_and_tables(model):
    import torch  # here: each worker would load it to collect the tests

    with torch.device("meta"):
        layers = size(layer(model)) * model.layers
        table = size(torch.nn.Embedding(model.vocabulary, model.hidden))
    rest = model.parameters - layers - table * (1 if model.tied or model.type == "vit" else 2)
    # What is left: a norm; in the older ones a table of positions, the pooled head, or the pieces of a picture.
    assert rest == model.hidden if model.type in GATED else 0 <= rest < 1.5e6 + 1.1 * model.hidden**2


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model.name)
def test_what_a_token_reads_and_stores_is_possible(model):
    assert 0 < model.read <= model.parameters
    assert bool(model.experts) == (model.read < model.parameters / 2)
    least = 2 * (model.heads + 2 * model.kv) * model.head  # queries, keys and values alone
    assert least < model.layer_bytes and model.head_bytes > 0
    assert model.heads % model.kv == 0 and model.sliding <= model.layers
