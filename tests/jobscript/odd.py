"""Values and words that sbatch reads in its own way: what a made-up system is asked besides the random draw."""

from __future__ import annotations

from scripts.facts import Cluster
from tests.jobscript.generator import Case

LONG, SIZES = "x" * 1000, "0 1K 1025K 102400K 102401K 1023K 100M 101M 99 +5 1GB 1Mb 1gb -0 -1 1T 2T 2097152M 2097153M 3T 2049G 2048G"
VALUES = {
    "time": "1 1- 2- 1-0 1-1 1-2 0-25 1-1:0 1-1:1 1-1:0:0 1-1:0:1 1-1:0:59 0-25:0:0 25:0:0 25:0:1 24:60:0 24:60:1 1500 1501 "
    "1499:59 1499:60 1499:61 1500:0 1500:1 0-24:60:0 0-24:60:1 0-24:59:60 0-24:59:61 1499:60:0 0 0:0 0:59 -1 infinite UNLIMITED "
    "35791393 35791394 35791393:7 35791393:8 35791392:59 1:-1 -5 1--1 : :: 1: :1 1:1: 1-: 1-:1 --5 1-1-1 1:2:3:4 5-: 1-2: "
    "1-2:3: -1:1 1::1 1- -1- 1x x :1: - -- 1-:: 1:2- 1:2-3 ::1 1:: 1-1:: 1-1:2: -:1 -1:2:3",
    "mem": f"{SIZES} 1099511627776 1099511627777 1048576T 1048577T 1x",
    "tmp": f"{SIZES} 1099511627776 1099511627777 10M 11M 10240K 10241K 20480K 20481K",
    "mem-per-cpu": "1 15 16 100M 101M 1K 1025K 0 90M 91M 1099511627776 1099511627777",
    "mem-per-gpu": "1 15 16 50M 51M 1K 1025K 0",
    "ntasks": "0 00 1 +2 -1 2x 2147483647 2147483648 64 65 x",
    "cpus-per-task": "0 1 8 9 65532 65533 65534 65535 70000 4294967297 +3 x",
    "mincpus": "0 1 8 9 65533 65534 x",
    "ntasks-per-node": "0 1 8 9 65533 65534 x",
    "cpus-per-gpu": "0 1 8 9 65533 65534 x",
    "nodes": "0 1 2 11 12 1- -2 1-2 2-1 1-11 1-12 11-12 11-11 12-12 0-1 0-0 0-2 1k 1K 1m 1km 1-1k 1-1m 2k-1k 1k-2k 2147483647 2147483648 "
    "1-2147483647 1-2147483648 2147483648-2147483649 1-2-3 x 2x +2 1-+2 - 1048576k 2047M 2048M 2147483647-2147483647 3k 3m 1025k-1m",
    "gres": "gpu gpu:0 gpu:1 gpu:2 gpu:4 gpu:5 gpu:x gpu:x:0 gpu:x:1 gpu:x:4 gpu:x:5 gpu:x:1, ,gpu:x:1 gres:gpu:1 gres:gpu:x:1 gres: "
    "gpu: gpu::1 gpu:1: gpu:x: gpu:x:1:1 gpu:1:2 gpu:2:2 gpu:1k gpu:x:1k nvme:1k nvme:1024 nvme:1025 nvme:2k nvme nvme:1 nvme:0 "
    "nvme:x nvme:x:1 gpu:x:1t gpu:1g gpu:1024g gpu:1025g gpu:1p gpu:x:1099511627776 gpu:1099511627776 gpu:1099511627777 gpu:+1 gpu:x:+1 "
    "gpu:1kb gpu:1kib gpu:k gpu:m:1 gpu:x,gpu:x:1 gpu:1,gpu:1 gpu:x:1,gpu:y:1 gpu:x:1,nvme:1 gpu:1,nvme:1025 tape tape:1 none NONE None "
    "gpu:none gpu:x:y gpu:x:-1 gpu:-1 gpu:1.5 GPU:1 gpu:ex:1 gpu:ex gpu:ex:2,nvme:1 gpu:X:1 gpu:1m nvme:1m nvme:0k gpu:y:1 gpu:y:2 gpu:y:3 "
    "gpu:z gpu:z:1 gpu:z:2 gpu:z:1,gpu:x:1 gpu:y gpu:toString gpu:toString:1 gpu:y:1,gpu:y:1",
    "gpus": "0 1 4 18 19 20 x x:1 x:14 x:15 y:1 y:2 y:3 y:6 y:7 1,1 :1 a:b:1 1, ,1 ex:1 ex x:0 0,x:1 +1 1k z:2 x:1,y:1",
    "gpus-per-node": "0 1 4 5 x x:1 x:4 x:5 y:3 y:2 1,1 ex:1 x:1,y:1",
    "gpus-per-task": "0 1 4 5 x x:1 x:4 x:5 y:3 y:2 1,1 ex:1 x:1,y:1",
    "array": "0 1 1- -1 5-1 1-1 1-4 1-5 0-3 0-4 1-3:0 1-3:1 1-7:2 1-8:2 1-9:2 0-10:3 999999 1000000 999996-999999 999997-1000000 0-8:2 1,2 "
    "1,2,3,4 1,2,3,4,5 1,1,1,1,1 [1-3] [1-2 1-2] [1] 1] 1-3%0 1-3% %2 1%2 1-4%9 1-4%9,1 , 1,,2 1-2, 1-3:999999 1-3:1000000 1-3:999998 1:2 "
    "1-5:2%3 a 1-a +1 1-+3 1-3:+1 1-3:1:1 1-2-3 2-2 3-2:1 1-4,5 1-2:2,3-4 0-0 1-8:2,1 999999-999999 [1-4]%2",
    "mail-type": "END end none ALL,x x,ALL x ,END NONE,END TIME_LIMIT_80 TIME_LIMIT_91 REQUEUE invalid_depend",
    "signal": "USR1 usr1 SIGUSR1 X USR1@ USR1@0 USR1@65535 USR1@65536 USR1@x B:9 R:9@0 0 1 31 32 99 RB:TERM@1 BR:TERM RBB:9 R: : B @60 1@2@3 9@60",
    "exclusive": "user USER mcs none yes",
    "oversubscribe": "yes",
    "hint": "nomultithread multithread compute_bound memory_bound x NOMULTITHREAD",
    "open-mode": "append truncate a t A T x xa",
    "job-name": f"mine {LONG} {LONG}x",
    "comment": f"{LONG} {LONG}x",
    "constraint": "fast slow one two none fast&one one&two one|two one|none none|none fast&none fast|slow&one [fast] fast,one 2 one|two|slow "
    "fast&one&two one&two|slow fast* (fast) !fast",
    "qos": "long other toString normal",
    "partition": "all part few one whole ones gone none all,part part,all all,none none,all , all, ,all all,all part,few few,part one,whole "
    "whole,one ones,gone gone,ones toString toString,all",
    "account": "rich1 rich poor richer arich",
    "export": "NONE",
    "requeue": "x",
    "hold": "x",
    "no-requeue": "1",
    "nice": "5",
    "begin": "now",
    "licenses": "x",
    "reservation": "x",
    "unknown": "1",
    "nod": "1",
    "ntas": "1",
    "n": "2",
    "gpu": "1",
    "mem-per": "1",
    "cpus-per-t": "2",
}
FLAGS = "exclusive oversubscribe hold requeue no-requeue parsable wait quiet time nodes ntasks mem gres gpus array hint qos overcommit nice signal nod unknown"
# With which other options each is asked.
BESIDE = ({}, {"nodes": "2"}, {"ntasks": "2"}, {"gres": "gpu:x:1"}, {"gpus": "2", "ntasks": "2"}, {"partition": "part", "nodes": "2"})
WORDS = (
    "-N2 -n2|-N 2 -n 2|-N 12|-N12|-N|-n|-c9|-c 9|-c|-N2x|-HO|-Hn65|-Hn 65|-Hn3|-HN12|-H|-HzN12|-z|-zN1|-kN12|-k|-kN1|-Nk|-s|-sN12|-vv|-vvN12|"
    "-|--|---|--=|--=x|-- --nodes=12|- --nodes=12|-5|word|word --nodes=12|--nodes 12|--nodes 2|--nodes --ntasks=65|--nodes -n65|--unknown 5|"
    "--unknown --nodes=12|--unknown -N12|--unknown|--unknown=|--unknown=1 --nodes=12|--exclusive 5|--exclusive --nodes=12|--exclusive=|"
    "--exclusive= --nodes=1|--hold 5|--hold --nodes=12|--hold=|--nodes=|--nodes= 12|--time|--time=|--gres=|--gres= gpu|--mem-per 5|--no-r|"
    "--no-re|--requ|--n=2|--nt=65|--nod=12|--part=none|--p=all|--tasks=65|--tasks-per-node=9|--workdir=/tmp|--get-user-env|--get-user-env 12|"
    "--cpus-per-task 9 --nodes 1|--job-name=\"a b\" --nodes=12|--job-name='a b' --nodes=12|--job-name=\"a 'b\" --nodes=12|"
    "--job-name=\\\"a b\" --nodes=12|--job-name=a\\|--job-name \\|# --nodes=12|#--nodes=12|--nodes=1 # --nodes=12|"
    "--nodes=1# --nodes=12|--nodes=1#2|--nodes=\"1#2\"|--nodes='12'|\"--nodes=12\"|'--nodes' '12'|\"\" --nodes=12|'' --nodes=12|--nodes=12 \"\"|"
    "--nodes=\"\"|--nodes \"\"|--nodes='' --ntasks=65|  --nodes=12  |\t--nodes=12\t|\v--nodes=12\f||hetjob|hetjob -N1|HETJOB|packjob -N12|"
    "hetjob hetjob|-N1 hetjob|--mem=1 --mem-per-cpu=1|--mem-per-cpu=1 --mem-per-gpu=1|--mem=1 --mem=2|--mem=x --nodes=12|"
    "--mem-per-gpu=1|--mem-per-gpu=1 --gpus=1|--mem-per-gpu=101M --gpus=1|--gres=nvme:1 --mem-per-gpu=1|--cpus-per-gpu=1 --gres=nvme:1|"
    "--gpus=1 --cpus-per-gpu=1 --cpus-per-task=1|--nodes=x --exclude=a|--exclude=a|--nodes=12 --exclude=a|--constraint=none --nodes=12|"
    "--constraint=fast --nodes=6|--constraint=fast --nodes=5|--qos=other --nodes=12|--reservation=x --nodes=12|--nodes=12 --overcommit"
).split("|")
WHOLE = (
    "",
    "\n",
    "#SBATCH\n",
    "#SBATCH--nodes=12\n",
    "#SBATCHx --nodes=12\n",
    "#SBATCH#--nodes=12\n",
    " #SBATCH --nodes=12\n",
    "#sbatch --nodes=12\n",
    "#SBATCH --nodes\n#SBATCH 12\n",
    "#SBATCH -N\n#SBATCH 12\n",
    "#SBATCH --unknown\n#SBATCH --nodes=12\n",
    "#SBATCH --time=2\n# more\n\n  \n\t# more\n#SBATCH --nodes=12\n",
    "#SBATCH --time=2\nhostname\n#SBATCH --nodes=12\n",
    "#SBATCH --time=2\n \t\v\f\r\n#SBATCH --nodes=12\n",
    "#SBATCH --time=2\n\\\n#SBATCH --nodes=12\n",
    "#SBATCH --time=2\n#SBATCH hetjob\n#SBATCH --nodes=12\n",
    "#SBATCH hetjob\n",
    "#SBATCH --nodes=12\n#SBATCH --nodes=1\n",
    "#SBATCH --nodes=1\n#SBATCH --nodes=12\n",
    "#SBATCH --mem=x\n#SBATCH --mem=y\n",
)


def odd_cases(cluster: Cluster) -> list[Case]:
    """Each value of each option, alone and with others; then words, and lines."""
    found = {}

    def add(*lines: str) -> None:
        found["\n".join(["#!/bin/bash", "#SBATCH --account=mine", *lines, "srun ./program", ""])] = None

    for beside in BESIDE:
        for name, values in VALUES.items():
            for value in values.split(" "):
                add(*(f"#SBATCH --{key}={text}" for key, text in ({"time": "3"} | beside | {name: value}).items()))
        for name in FLAGS.split():
            add(*(f"#SBATCH --{key}={text}" for key, text in ({"time": "3"} | beside).items()), f"#SBATCH --{name}")
        for words in WORDS:
            add(*(f"#SBATCH --{key}={text}" for key, text in ({"time": "3"} | beside).items()), f"#SBATCH {words}")
            add(f"#SBATCH {words}", *(f"#SBATCH --{key}={text}" for key, text in ({"time": "3"} | beside).items()))
    for text in WHOLE:
        add(text.rstrip("\n"))
        found[f"#!/bin/bash\n{text}"] = None
    return [Case(cluster.key, script) for script in found]
