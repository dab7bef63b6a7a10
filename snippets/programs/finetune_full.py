"""Fine-tune all weights of a language model that is larger than one GPU."""

import os
import sys
from pathlib import Path

import torch
import torch.distributed as dist
import torch.distributed.checkpoint.state_dict as states
from torch.distributed.fsdp import MixedPrecisionPolicy, fully_shard
from transformers import AutoConfig, AutoModelForCausalLM, AutoTokenizer

name, text, steps, rate = sys.argv[1:]  # for example: Qwen/Qwen3-8B text.txt 200 1e-5
gpu = torch.cuda.is_available()  # also true for AMD GPUs
if gpu:
    torch.cuda.set_device(int(os.environ["LOCAL_RANK"]))
dist.init_process_group("nccl" if gpu else "gloo")
device = "cuda" if gpu else "cpu"
rank, processes = dist.get_rank(), dist.get_world_size()
tokenizer = AutoTokenizer.from_pretrained(name)
tokens = tokenizer(Path(text).read_text("utf-8"), return_tensors="pt").input_ids[0]
if len(tokens) < 512:
    sys.exit(f"{text} has fewer than 512 tokens, one sequence")
data = tokens.unfold(0, 512, 512).to(device)

with torch.device("meta"):  # only shapes, no memory
    config = AutoConfig.from_pretrained(name)
    model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
model.gradient_checkpointing_enable({"use_reentrant": False})  # stores less
bf16 = MixedPrecisionPolicy(torch.bfloat16, torch.float32)  # layers compute in 16 bits
for part in (*model.model.layers, model):
    fully_shard(part, mp_policy=bf16)
model.to_empty(device=device)  # allocates memory for only this process's part
if rank == 0:  # reads the files into host memory, and sends each process its part
    whole = AutoModelForCausalLM.from_pretrained(name, dtype=torch.float32)
options = states.StateDictOptions(True, cpu_offload=True, broadcast_from_rank0=True)
files = whole.state_dict() if rank == 0 else {}
states.set_model_state_dict(model, files, options=options)
for key, buffer in model.named_buffers():  # not in the files, such as frequencies
    dist.broadcast(buffer.copy_(whole.get_buffer(key)) if rank == 0 else buffer, 0)

optimizer = torch.optim.AdamW(model.parameters(), lr=float(rate), fused=gpu)
for step in range(int(steps)):
    batch = data[[(step * processes + rank) % len(data)]]  # different in each process
    loss = model(input_ids=batch, labels=batch).loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if rank == 0 and (step + 1) % 10 == 0:
        print(f"step {step + 1}: loss {loss.item():.2f}")
state = states.get_model_state_dict(model, options=options)  # complete, in process 0
if rank == 0:
    model.save_pretrained("tuned", state_dict=state)
    tokenizer.save_pretrained("tuned")
dist.destroy_process_group()
