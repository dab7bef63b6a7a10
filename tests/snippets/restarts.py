"""Start a program again and again, ended at random moments, until it is through: is its state that of an unbroken run?

`python restarts.py PROGRAM FILE KILLS SEED [arguments]` runs in an empty folder; FILE is what the program saves.
"""

import os
import random
import runpy
import signal
import sys
import time
import traceback

import torch  # here once, so that each start is a fork


def start(program: str, folder: str, arguments: list[str]) -> int:
    os.makedirs(folder, exist_ok=True)
    child = os.fork()
    if not child:
        log = os.open(f"{folder}/log", os.O_CREAT | os.O_APPEND | os.O_WRONLY)
        os.dup2(log, 1)
        os.dup2(log, 2)
        os.chdir(folder)
        sys.argv = [program, *arguments]
        sys.path.insert(0, os.path.dirname(program))  # as Python does
        try:
            runpy.run_path(program, run_name="__main__")
        except BaseException:
            traceback.print_exc()
        sys.stdout.flush()
        os._exit(0)
    return child


def same(one: object, other: object) -> bool:
    """Bit for bit, in whatever holds the tensors."""
    if isinstance(one, torch.Tensor):
        return torch.equal(one, other)
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other


def compare() -> None:
    one, other = (torch.load(f"{folder}/{file}", weights_only=True) for folder in ("whole", "cut"))
    if not same(one, other):
        sys.exit(f"seed {seed}: other weights, or another state, than without a stop")


if __name__ == "__main__":
    program, file, kills, seed, *arguments = sys.argv[1:]
    torch.optim.Adam([torch.zeros(1)])  # imports what each start would import
    dice, began, killed = random.Random(int(seed)), time.monotonic(), 0
    os.waitpid(start(program, "whole", arguments), 0)
    whole = time.monotonic() - began
    if not os.path.exists(f"whole/{file}"):
        sys.exit(f"the unbroken run saved nothing: {open('whole/log', encoding='utf-8').read()}")
    while killed < int(kills):
        child = start(program, "cut", arguments)
        if killed:
            time.sleep(dice.uniform(0, whole))
        while not killed and not os.path.exists(f"cut/{file}"):  # at least one start finds something to go on from
            time.sleep(0.01)
        if os.waitpid(child, os.WNOHANG)[0]:  # it is through: the next one begins anew
            compare()
            os.remove(f"cut/{file}")
            continue
        os.kill(child, dice.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGUSR1]))
        os.waitpid(child, 0)
        killed += 1
    os.waitpid(start(program, "cut", arguments), 0)
    compare()
    print(open("cut/log", encoding="utf-8").read())
