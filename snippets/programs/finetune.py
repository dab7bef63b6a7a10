"""Fine-tune a language model with LoRA on a text file, and save the adapter."""

import argparse
from pathlib import Path

import torch
from peft import LoraConfig, get_peft_model
from transformers import AutoModelForCausalLM, AutoTokenizer

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("model", help="a name on Hugging Face, or a folder")
parser.add_argument("text", type=Path, help="the text to learn from")
parser.add_argument("--steps", type=int, default=200)
parser.add_argument("--save", type=int, default=50, help="steps between saves")
parser.add_argument("--batch", type=int, default=4, help="sequences per step")
parser.add_argument("--context", type=int, default=512, help="tokens per sequence")
parser.add_argument("--rate", type=float, default=2e-4, help="learning rate")
args = parser.parse_args()
gpu = torch.accelerator.is_available()
device = torch.accelerator.current_accelerator() if gpu else torch.device("cpu")
tokenizer = AutoTokenizer.from_pretrained(args.model)
tokens = tokenizer(args.text.read_text("utf-8"), return_tensors="pt").input_ids[0]
if len(tokens) < args.context:
    parser.error(f"{args.text} has fewer than {args.context} tokens, one sequence")
data = tokens.unfold(0, args.context, args.context)
model = AutoModelForCausalLM.from_pretrained(args.model, dtype=torch.bfloat16)
model.gradient_checkpointing_enable()  # stores less, and computes the rest again
lora = LoraConfig(task_type="CAUSAL_LM", target_modules="all-linear")
model = get_peft_model(model.to(device), lora).train()
model.print_trainable_parameters()
optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate)
for step in range(1, args.steps + 1):
    batch = data[torch.randint(len(data), (args.batch,))].to(device)
    loss = model(input_ids=batch, labels=batch).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()  # changes only the adapter, because the rest has no gradients
    if step % args.save == 0 or step == args.steps:
        model.save_pretrained("adapter")
        print(f"step {step}: loss {loss.item():.2f}, saved")
