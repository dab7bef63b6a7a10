"""Jobs for ARC4, drawn by a seed near every limit: one less, the limit, one more; in several spellings and orders."""

import random
from collections.abc import Callable

from scripts.engine.data.grid_engine import grid_engine
from scripts.facts import load_all

FACTS = grid_engine(load_all()["arc4"])
(QUEUE,) = FACTS["queues"].values()
RULES = FACTS["rules"]
LONGEST, CORES, MEMORY = QUEUE["seconds"], RULES["cores"], 192
COUNT = sum(host["count"] for host in QUEUE["hosts"] if host.get("node_type") == RULES["node_type"])


def near(limit: int, draw: random.Random) -> int:
    return draw.choices((limit - 1, limit, limit + 1, draw.randint(1, limit)), (3, 3, 2, 3))[0]


def time(draw: random.Random) -> str:
    seconds = near(LONGEST, draw) if draw.random() < 0.3 else draw.randint(1, LONGEST)
    hours, minutes, rest = seconds // 3600, seconds // 60 % 60, seconds % 60
    forms = (
        *(f"{hours}:{minutes}:{rest}", f"{hours:02}:{minutes:02}:{rest:02}", str(seconds), f":{seconds // 60}:{rest}"),
        *(f"{hours}:{minutes:02}", f"{hours}h", "INFINITY", f"1-{hours}:00:00", "0:0:0", "abc"),
    )
    return f"h_rt={draw.choices(forms, (9, 9, 4, 2, 0.3, 0.3, 0.3, 0.3, 0.3, 0.3))[0]}"


def memory(draw: random.Random) -> str:
    size = near(draw.choice((MEMORY, MEMORY, 768, MEMORY // 8, MEMORY // CORES)), draw)
    forms = (f"{size}G", f"{size * 1024}M", f"{size}.5G", f"{size}g", f"{size}GB", "all", f"{size * 1024 + 1}M", "1T")
    return f"h_vmem={draw.choices(forms, (9, 5, 2, 2, 0.5, 0.3, 2, 0.3))[0]}"


def slots(draw: random.Random) -> list[str]:
    name = draw.choices((*FACTS["parallel"], "mpi", "openmp"), (9, 5, 3, 0.5, 0.5))[0]
    limit = {"smp": draw.choice((CORES, CORES // 4, CORES // 2)), "ib": draw.choice((COUNT, COUNT * CORES))}
    number = near(limit.get(name, CORES), draw)
    written = draw.choices((number, f"{number}-{number + 8}", f"1-{number}", 0, "x"), (9, 1, 1, 0.3, 0.2))[0]
    return [f"-pe {name} {written}"]


def gpus(draw: random.Random) -> list[str]:
    name = draw.choices(("coproc_v100", "coproc", "coproc_p100", "gpu"), (9, 3, 0.5, 0.3))[0]
    number = draw.choices((1, 2, 3, 4, 5, 0, -1), (9, 4, 2, 4, 2, 0.5, 0.3))[0]
    words = [f"-l {name}={number}"]
    if draw.random() < 0.3:
        words.append(f"-pe smp {near(10 * max(number, 1), draw)}")
    if draw.random() < 0.3:
        words.append(f"-l h_vmem={draw.choice(('4G', '4.8G', '4.9G', '4915M', '4916M', '48G', '1G'))}")
    return words


def whole_nodes(draw: random.Random) -> list[str]:
    words = [draw.choice((f"nodes={near(COUNT, draw)}", f"nodes={draw.randint(0, 3)}", f"np={near(COUNT * 40, draw)}"))]
    if draw.random() < 0.4:
        words.append(f"ppn={near(CORES, draw)}")
    if draw.random() < 0.3:
        words.append(f"tpp={draw.choice((1, 2, 4, CORES, CORES + 1))}")
    if draw.random() < 0.3:
        words.append(f"h_vmem={draw.choice(('4G', '4.8G', '4.9G', '5G'))}")
    return [f"-l {','.join(words)}"]


def array(draw: random.Random) -> list[str]:
    last = draw.choice((10, 75000, 75001, 74999, 150000))
    forms = (f"1-{last}", f"0-{last}", f"1-{last}:2", "5", "0", "1-10%2", "1-10:0", "x", "10-1", "2-75001", "2-75002")
    words = [f"-t {draw.choices(forms, (9, 1, 3, 2, 1, 1, 1, 0.5, 1, 1, 1))[0]}"]
    return [*words, f"-tc {draw.choice((0, 2, 10))}"] if draw.random() < 0.4 else words


def one_of(*words: str) -> Callable[[random.Random], list[str]]:
    return lambda draw: [draw.choice(words)]


PARTS: list[tuple[float, Callable[[random.Random], list[str]]]] = [
    (0.4, lambda draw: [f"-l {memory(draw)}"]),
    (0.35, slots),
    (0.35, gpus),
    (0.2, whole_nodes),
    (0.2, array),
    (0.2, one_of("-l node_type=40core-768G", "-l node_type=40core-192G", "-l node_type=24core-128G")),
    (
        0.3,
        one_of("-N job", "-N my-job_1.x", "-N x", "-N 1job", "-N a/b", "-N a:b", "-N a*b", "-N none", "-N b.c", "-N d"),
    ),
    (0.3, one_of("-cwd", "-V", "-cwd -V", "-notify")),
    (0.2, one_of("-j y", "-j n", "-j yes", "-j Y", "-j oe", "-j true")),
    (0.2, one_of("-m be", "-m bea", "-m e", "-m abe", "-m n", "-m END", "-m b,e", "-M me@leeds.ac.uk")),
    (0.2, one_of("-o x.log", "-e err/", "-o $HOME/x.$JOB_ID", "-S /bin/bash", "-wd /tmp", "-tc 4", "-tc 0", "-p 5")),
    (0.1, one_of("-p -5", "-p -1023", "-p -1024", "-r y", "-r x", "-R y", "-hold_jid 12", "-v A=1", "-v A=1,B=x")),
    (0.06, one_of("-q 40core-192G.q", "-q gpu.q", "--time=10", "-walltime 5", "stray", "-N", "-pe smp", "-l")),
    (0.06, one_of("-l mem=4G", "-l gpu=1", "-l slots=4", "-l disk=10G", "-l placement=optimal", "-l h_vmem=")),
]


def case(draw: random.Random) -> str:
    """One script. Most ask for a time; the directives come in any order, several on a line now and then."""
    words = [] if draw.random() < 0.04 else [f"-l {time(draw)}"]
    for share, part in PARTS:
        if draw.random() < share * 0.55:
            words += part(draw)
    draw.shuffle(words)
    if len(words) > 1 and draw.random() < 0.2:
        words = [" ".join(words[:2]), *words[2:]]
    return "".join(["#!/bin/bash\n", *(f"#$ {word}\n" for word in words), "hostname\n"])


def cases(number: int, seed: str) -> list[str]:
    return [case(random.Random(f"{seed}/{place}")) for place in range(number)]
