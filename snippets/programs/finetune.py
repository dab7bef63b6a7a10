"""Fine-tune a language model with LoRA on a text file, and save the adapter."""

import argparse
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("model", help="a name on Hugging Face, or a folder")
parser.add_argument("text", type=Path, help="what it learns from")
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--batch", type=int, default=4, help="sequences in a step")
parser.add_argument("--context", type=int, default=512, help="tokens in a sequence")
args = parser.parse_args()
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")

tokenizer = AutoTokenizer.from_pretrained(args.model)
tokens = tokenizer(args.text.read_text(), return_tensors="pt").input_ids[0]
data = tokens[: len(tokens) // args.context * args.context].view(-1, args.context)

model = AutoModelForCausalLM.from_pretrained(args.model, dtype=torch.bfloat16)
model = get_peft_model(
    model.to(device), LoraConfig(task_type="CAUSAL_LM", target_modules="all-linear")
)
model.gradient_checkpointing_enable()  # stores less, computes the rest twice
model.print_trainable_parameters()
trained = [each for each in model.parameters() if each.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=2e-4)
for step in range(1, args.steps + 1):
    batch = data[torch.randint(len(data), (args.batch,))].to(device)
    loss = model(input_ids=batch, labels=batch).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % (args.steps // 4) == 0:
        print(f"step {step}: loss {loss.item():.2f}")
model.save_pretrained("adapter")
