"""What people really get wrong in scripts for Slurm: from its manual, operators' guides, issue trackers, slips."""

import re

from tests.check.planted import (
    SHORT_ONES,
    TYPOGRAPHIC,
    Planter,
    change,
    command_above,
    do,
    misspelt_option,
    misspelt_prefix,
    moved_below,
    say,
    short_with_equals,
    slip,
    together,
    whole,
    without,
)


def without_gpus(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not re.match(r"#SBATCH .*(--gres=gpu|--gpus)", line))


def without_tasks(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("#SBATCH --ntasks"))


FAULTS: dict[str, Planter] = {
    # the file
    "Windows line ends": whole(lambda text: text.replace("\n", "\r\n")),
    "byte-order mark": whole(lambda text: "\ufeff" + text),
    "null character": whole(lambda text: text + "echo a\0b\n", None),
    "empty line before #!": whole(lambda text: "\n" + text),
    "blank before #!": whole(lambda text: " " + text),
    "comment before #!": whole(lambda text: "# my job\n" + text),
    "no #!": whole(lambda text: text.split("\n", 1)[1]),
    "#! without #": whole(lambda text: text[1:]),
    "#! without !": whole(lambda text: "#" + text[2:]),
    "#! misspelt": whole(lambda text: text.replace("bash", "bahs", 1)),
    "#! relative": whole(lambda text: text.replace("#!/bin", "#!bin", 1)),
    "env with two words": whole(lambda text: "#!/usr/bin/env bash -l\n" + text.split("\n", 1)[1]),
    # the prefix
    "blank after #": change(lambda line, draw: line.replace("#", "#" + draw.choice((" ", "  ", "\t", "\u00a0")), 1)),
    "indented": change(lambda line, draw: draw.choice((" ", "  ", "    ", "\t", " \t")) + line),
    "prefix misspelt": change(misspelt_prefix),
    "prefix misspelt again": change(lambda line, draw: line.replace("SBATCH", slip("SBATCH", draw), 1)),
    "colon after the prefix": change(
        lambda line, draw: line.replace("SBATCH", draw.choice(("SBATCH:", "SBATCH :")), 1)
    ),
    "letters after the prefix": change(lambda line, draw: line.replace("SBATCH", "SBATCH" + draw.choice("XEShH_"), 1)),
    "# missing": change(lambda line, draw: draw.choice(("", "$", "//", "%")) + line[1:]),
    "#! for #": change(lambda line, draw: "#!" + line[1:]),
    "below the first command": moved_below,
    "a command above": command_above,
    "directive without an option": change(lambda line, draw: draw.choice(("#SBATCH", "#SBATCH #" + line[8:]))),
    "goes on behind a backslash": change(lambda line, draw: line + draw.choice((" \\", "\\", "  \\"))),
    "directive of another scheduler": say("#$ -l h_rt=1:0:0", "#$ -pe smp 4", "#COBALT -n 1", "#MSUB -q x", "#$ -cwd"),
    # the form of an option
    "one dash": change(lambda line, draw: line.replace("--", "-", 1)),
    "no dashes": change(lambda line, draw: line.replace("--", "", 1)),
    "three dashes": change(lambda line, draw: line.replace("--", "---", 1)),
    "misspelt option": change(misspelt_option),
    "equals behind a short option": change(short_with_equals, SHORT_ONES),
    "blanks around =": change(lambda line, draw: line.replace("=", draw.choice((" = ", "= ", " =", "  =")), 1)),
    "colon for =": change(lambda line, draw: line.replace("=", ":", 1)),
    "two equals": change(lambda line, draw: line.replace("=", "==", 1)),
    "typographic dash": change(
        lambda line, draw: line.replace(
            "--", draw.choice(("{}", "-{}", "{}-", "{0}{0}")).format(draw.choice(TYPOGRAPHIC))
        )
    ),
    "typographic quotes": change(
        lambda line, draw: "{}={}{}{}".format(
            line.split("=", 1)[0],
            *draw.choice((("\u201c", line.split("=", 1)[1], "\u201d"), ("\u2018", line.split("=", 1)[1], "\u2019"))),
        ),
        r"--(job-name|time|nodes|ntasks|mem|output|account|partition|cpus-per-task)=",
    ),
    "non-breaking space": change(lambda line, draw: line.replace("SBATCH ", "SBATCH\u00a0")),
    "non-breaking space at the end": change(
        lambda line, draw: line + draw.choice("\u00a0\u200b"), r"--(job-name|time|nodes|ntasks|mem|output|account)="
    ),
    "comma at the end": change(
        lambda line, draw: line + draw.choice(",;"),
        r"--(job-name|time|nodes|ntasks|mem|output|account|partition|cpus-per-task)=",
    ),
    "name with a blank": say("--job-name=my job", "--job-name my first job", "-J test run", "--job-name=run 1"),
    "quote not closed": say("--job-name='my job", '--job-name="run', "--comment='x y", '--output="out.log'),
    "# in a value": say("--job-name=run#1", "--output=run#%j.log", "--job-name a#b", "--comment=issue#12"),
    "value missing": say("--output=", "--job-name=", '--error=""', "--output=''"),
    "blank in a value": say(
        "--time=10 minutes", "--mem=16 GB", "--nodes=1 node", "--exclusive user", "--ntasks=4 tasks"
    ),
    "said twice": say("--ntasks=1|--ntasks=2", "--time=01:00:00|-t 00:10:00", "-J a|--job-name=b", "--nodes=1|-N 2"),
    "placeholder": change(
        lambda line, draw: line.split("=")[0] + draw.choice(("=<value>", "=<your value>", "=<PROJECT>", "=<my-value>"))
    ),
    "options of srun": say("--pty bash", "--label", "--mpi=pmix", "--cpu-bind=cores", "--unbuffered", "--x11"),
    "options of others": say(
        "--walltime=1:00:00",
        "--queue=gpu",
        "--memory=4G",
        "--cores=4",
        "--name=x",
        "--gpu=1",
        "--cpus=4",
        "--ntask=1",
        "--mem-per-core=2G",
        "--project=x",
        "--email=a@b.org",
    ),
    "only prints": say("--help", "--version", "--usage"),
    "test-only left in": say("--test-only"),
    "tasks for ntasks": say("--tasks=4", "--tasks=8", "--task=2"),
    # what nothing expands
    "variable": say(
        "--output=$HOME/x-%j.out",
        "--job-name=$USER",
        "--error=${SCRATCH}/x.err",
        "--account=$PROJECT",
        "--output=$SLURM_JOB_ID.out",
        "--mail-user=$USER@uni.org --mail-type=END",
        "--time=$TIME",
        "--job-name=${NAME}_1",
        "--chdir=$SCRATCH",
        "--output=%x-${SLURM_ARRAY_TASK_ID}.out",
    ),
    "command substitution": say(
        "--output=$(date +%F).out",
        "--job-name=`whoami`",
        "--output=`date`.log",
        "--job-name=$(basename x)",
        "--chdir=$(pwd)",
        "--error=$(hostname).err",
    ),
    "~": say("--output=~/x.out", "--error=~/logs/%j.err", "--chdir=~", "--chdir=~/run", "-o ~/a.out", "--output=~me/a"),
    # times
    "hours taken for minutes": say("--time=24", "-t 48", "--time 72", "--time=12", "-t36"),
    "hours taken for minutes and seconds": say("--time=1:30", "-t 2:30", "--time=24:00", "--time 48:00", "--time=0:45"),
    "time with a unit": say(
        "--time=2h",
        "--time=24hours",
        "--time=90m",
        "-t 1d",
        "--time=30min",
        "--time=1h30m",
        "--time=2hrs",
        "--time=1day",
    ),
    "time with a point": say("--time=1.5", "-t 0.5", "--time=1,5", "--time=2.30"),
    "time in four parts": say("--time=1:00:00:00", "--time=0:1:30:00", "-t 02:00:00:00"),
    "time in words": say("--time=two", "--time=max", "--time=forever", "--time=one-day"),
    "time of months": say("--time=60-00:00:00", "--time=999-00:00:00", "-t 2160:00:00", "--time=90-0", "--time=86400"),
    "time of nothing": say("--time=0", "--time=00:00:00", "-t 0:0:0"),
    "minutes above sixty": say("--time=0:90:00", "--time=1:120:00", "--time=0-1:75", "-t 00:00:120"),
    # memory and numbers
    "gigabytes taken for megabytes": say(
        "--mem=16", "--mem 64", "--mem=128", "--mem=200", "--mem-per-cpu=4", "--mem=8"
    ),
    "memory too small": say("--mem=16M", "--mem=64MB", "--mem=500K", "--mem-per-cpu=4M", "--mem=32kb"),
    "memory in another form": say(
        "--mem=16GiB",
        "--mem=1.5G",
        "--mem=all",
        "--mem=G16",
        "--mem-per-cpu=2.5GB",
        "--mem=max",
        "--mem=16Gi",
        "--mem=4B",
        "--mem=-1",
    ),
    "memory two ways": say("--mem=4G --mem-per-cpu=1G", "--mem=4G|--mem-per-cpu=1G", "--mem-per-gpu=4G|--mem=4G"),
    "no whole number": say(
        "--ntasks=2.5",
        "--cpus-per-task=4x",
        "--ntasks=four",
        "--ntasks-per-node=2,2",
        "-c 4.0",
        "-n two",
        "--ntasks=4x2",
    ),
    "nodes in another form": say(
        "--nodes=1:ppn=4", "--nodes=node1", "--nodes=2x", "--nodes=two", "-N 1.0", "--nodes=n[1-2]"
    ),
    "more nodes than tasks": say("--nodes=2|--ntasks=1", "-N 4 -n 2", "--nodes=3 --ntasks=2"),
    # GPUs
    "GRES in another form": say(
        "--gres=gpu,2",
        "--gres=gpu=2",
        "--gres=gpu:2:v100",
        "--gres=gpus:2",
        "--gres=gpu-1",
        "--gres=gpu:",
        "--gres=GPU:1",
        "--gres=gpu.1",
        "--gres=2",
        "--gres=gpu:v100,2",
        "--gres=gpu:a100=1",
        "--gres=gpu1",
        "--gres=a100:1",
        "--gres=gpu:4:a100",
        "--gres=gpu/1",
    ),
    "blank in GRES": say("--gres=gpu 2", "--gres=gpu: 1", "--gres gpu 1"),
    "gpu: in --gpus": say("--gpus=gpu:1", "--gpus-per-node=gpu:2", "--gpus-per-node=gpu:a100:4", "-G gpu:1"),
    "--gpus in another form": say(
        "--gpus=1:a100", "--gpus=a100,1", "--gpus-per-node=4:v100", "--gpus=a100=2", "-G a100-1"
    ),
    "no GPU": say("--gres=gpu:0", "--gpus=0", "--gpus-per-node=0"),
    "memory for GPUs not asked for": together(say("--mem-per-gpu=16G", "--mem-per-gpu=32G"), whole(without_gpus, None)),
    "cores for GPUs two ways": together(
        say("--cpus-per-gpu=4|--cpus-per-task=4|--gpus=1", "--gpus=1|--cpus-per-gpu=2 -c 2")
    ),
    # arrays
    "array in another form": say(
        "--array=1-10:%2",
        "--array=1..10",
        "--array=1-10/2",
        "-a a-c",
        "--array={1..10}",
        "--array=1:10",
        "--array=1-",
        "--array=1-10%",
        "--array=one",
        "--array=0:9",
    ),
    "array with blanks": say("--array=1, 2, 3", "--array=1-10 %2", "--array=1 - 10", "--array=1 to 10"),
    "array with an empty place": say("--array=1-10,%2", "--array=%5", "--array=1,2,"),
    "array without a limit": say("--array=1-10%0"),
    "array into one file": say(
        "--array=1-10|--output=x.out", "--array=0-9|--output=%x-%A.out", "--output=run.log|-a 1-3"
    ),
    # output
    "sign that nothing replaces": say(
        "--output=%d.out", "--output=%x-%i.out", "--error=%e-%j.err", "-o %p.log", "--output=%D"
    ),
    "name for a sign": say(
        "--output=%jobid.out",
        "--output=%x-%job_id.out",
        "--output=%user.log",
        "--error=%jobname.err",
        "--output=%JobID.out",
        "--output=%array_task_id.out",
    ),
    "braces": say(
        "--output={j}.out", "--output=%{j}.out", "--output=%(jobid).out", "--output={jobid}.out", "-o x-{job}.out"
    ),
    "output into a folder that may not be there": say(
        "--output=logs/%j.out",
        "--error=out/err/%x.err",
        "--output=/scratch/me/no/%j.out",
        "-o ./log/x.out",
        "--output=../run/%j",
    ),
    "output is a folder": say("--output=logs/", "--error=./", "--output=/tmp/", "-o ."),
    "folder made by the job": together(
        say("--output=logs/%j.out", "--error=logs/x.err"), do("mkdir -p logs", "mkdir logs/")
    ),
    "slash in the name": say("--job-name=a/b", "-J run/1"),
    # mail
    "address without an occasion": say("--mail-user=me@uni.org", "--mail-user me@uni.org"),
    "occasion that is none": say(
        "--mail-type=Finish",
        "--mail-type=abe",
        "--mail-type=ERROR",
        "--mail-type=yes",
        "--mail-type=FINISHED",
        "--mail-type=DONE",
        "--mail-type=all,end;",
        "--mail-type=ENDED",
    ),
    "occasion that is none beside others": say(
        "--mail-type=END,DONE", "--mail-type=ERROR,END", "--mail-type=BEGIN,FINISH"
    ),
    "occasions not between commas": say(
        "--mail-type=END;FAIL",
        "--mail-type=END:FAIL",
        "--mail-type=END, FAIL",
        "--mail-type=END FAIL",
        "--mail-type=END+FAIL",
    ),
    "no address": say(
        "--mail-type=END --mail-user=me@", "--mail-type=END|--mail-user=me@uni", "--mail-type=END --mail-user=@uni.org"
    ),
    # what the job inherits
    "environment left behind": say(
        "--export=FOO=1", "--export=PATH,HOME", "--export FOO", "--export=OMP_NUM_THREADS=4"
    ),
    "srun without the environment": together(
        say("--export=NONE", "--export=none"), do("srun hostname", "srun ./program")
    ),
    "signal not to the shell": together(
        say("--signal=USR1@60", "--signal=SIGTERM@120", "--signal=10@30"), do("trap 'echo x' USR1", 'trap "save" TERM')
    ),
    "signal in another form": say("--signal=USR1@5m", "--signal=B:USR1@00:05:00", "--signal=USR1@soon"),
    "dependency in another form": say(
        "--dependency=afterok=1",
        "--dependency=afterok",
        "--dependency=afterok:1:afterany:2",
        "-d after_ok:1",
        "--dependency=afterok 1",
    ),
    "exclusive in another form": say("--exclusive=yes", "--exclusive=true", "--exclusive=1"),
    "open mode in another form": say("--open-mode=overwrite", "--open-mode=w", "--open-mode=write"),
    # commands
    "variable of PBS": do("cd $PBS_O_WORKDIR", 'cd "${PBS_O_WORKDIR}"', "cat $PBS_NODEFILE", "echo $PBS_JOBID"),
    "variable of Grid Engine": do("export OMP_NUM_THREADS=$NSLOTS", "mpirun -np ${NSLOTS} ./a", "echo $SGE_TASK_ID"),
    "variable misspelt": do(
        "cd $SLURM_SUBMITDIR",
        "export OMP_NUM_THREADS=$SLURM_CPU_PER_TASK",
        "echo $SLRUM_JOB_ID",
        "echo ${SLURM_ARRAY_TASKID}",
        "srun -n $SLURM_NTASK ./a",
        'echo "$SLURM_NNODE"',
    ),
    "cores' variable without request": without(r"--cpus-per-task", "SLURM_CPUS_PER_TASK"),
    "tasks' variable without request": together(
        do("mpirun -np $SLURM_NTASKS ./a", "echo ${SLURM_NTASKS}"), whole(without_tasks, None)
    ),
    "array's variable without array": do("echo $SLURM_ARRAY_TASK_ID", "python3 a.py ${SLURM_ARRAY_TASK_ID}"),
    "$ missing": do(
        "export OMP_NUM_THREADS=SLURM_CPUS_PER_TASK", "N=SLURM_NTASKS", "export MKL_NUM_THREADS=SLURM_NTASKS"
    ),
    "blanks in an assignment": do("export OMP_NUM_THREADS = 4", "OMP_NUM_THREADS = 4", "export DATA= /scratch/x"),
    "csh in bash": do("setenv OMP_NUM_THREADS 4", "set n = 4", "setenv DATA /scratch/x"),
    "command of another scheduler": do("qsub next.sh", "aprun -n 4 ./a", "bsub < next.sh", "jsrun -n 1 ./a"),
    "allocation inside a job": do("salloc -n 1 ./a", "srun sbatch next.sh"),
    "interactive step": do("srun --pty bash", "srun -n 1 --pty bash -i", "srun --pty python3"),
    "launcher inside a launcher": do("srun mpirun -np 4 ./a", "mpirun -np 4 srun ./a", "srun -n 4 mpiexec ./a"),
    "submits itself": do("sbatch $0", 'sbatch "$0"', "sbatch --time=10 $0", last=True),
    "ends in the background": do("./a &|./b &", "srun python3 a.py > log 2>&1 &", "python3 x.py &", last=True),
    "GPU chosen by hand": do(
        "export CUDA_VISIBLE_DEVICES=0", "export CUDA_VISIBLE_DEVICES=0,1", "export ROCR_VISIBLE_DEVICES=1"
    ),
    "conda init in a job": do("conda init bash", "conda init"),
    "modules purged again": do("module load gcc|module purge|./a", "module load gcc|ml purge|srun ./a", last=True),
    "module misspelt": do("module laod gcc", "modul load gcc", "modules load gcc", "moduel load cuda"),
    "needs root": do("sudo apt-get install gcc", "apt-get install -y gcc", "yum install gcc", "sudo pip install torch"),
    "waits for a person": do(
        "vim a.txt", "watch nvidia-smi", "tail -f log.txt", "read -p 'go on? ' a", "htop", "less out.log"
    ),
    "interpreter alone": do("python3", "srun python", "julia", "R"),
    "sleeps": do("sleep infinity", "sleep 86400", "sleep 2d", "sleep 100000"),
    "typographic dash in a command": do(
        "srun \u2013n 4 ./a", "python3 a.py \u2014epochs 5", "python3 a.py \u2013\u2013n 5"
    ),
    "typographic quotes in a command": do(
        "export D=\u201c/x\u201d", "python3 a.py --name \u201cx\u201d", "module load \u2018gcc\u2019"
    ),
    "blank without break in a command": do("python3\u00a0a.py", "srun ./a\u00a0--n 5", "module load\u00a0gcc"),
    # found missing when the check was attacked
    "two directives on a line": change(lambda line, draw: f"{line} {draw.choice(('#SBATCH', '# SBATCH'))} --nodes=1"),
    "prefix with a strange sign": change(lambda line, draw: line.replace("#", draw.choice(("#@", "#$", "#%")), 1)),
    "sbatch for the prefix": change(lambda line, draw: line.replace("#SBATCH", "sbatch"), "--[a-z-]+="),
    "nothing behind the equals sign": say("--dependency=", "--array=", "--account=", "--partition=", "--chdir="),
    "only prints, in short": say("-V", "-h", "--job-name=x -V"),
    "backslash in a path": say("--output=C:\\logs\\x.out", "--error=logs\\%j.err", "--chdir=C:\\run"),
    "seconds for minutes": say("--time=00:00:15", "--time=0:0:45", "-t 00:00:30"),
    "command in a directive": say("--wrap=hostname", "--wrap='python3 x.py'"),
    "for operators": say("--uid=0", "--gid=root", "--priority=1000", "--nice=-100", "--reboot"),
    "tasks per node over tasks": say("--ntasks=1|--ntasks-per-node=4", "--ntasks=2 --ntasks-per-node=8"),
    "nodes that talk to themselves": together(
        say("--nodes=2", "-N 4"),
        do("export MASTER_ADDR=localhost", "srun torchrun --nnodes=2 --master_addr=localhost x.py"),
    ),
    "no command": whole(lambda text: "\n".join(line for line in text.split("\n") if line.startswith("#")) + "\n"),
    "bash under another interpreter": whole(lambda text: re.sub("^#!.*", "#!/usr/bin/env python3", text), None),
    "bash under csh": whole(lambda text: re.sub("^#!.*", "#!/bin/csh", text), None),
    "shell's command in a step": do("srun module load gcc", "srun cd run", "srun source env.sh", "srun export X=1"),
    "modules in another shell": do("bash -c 'module load gcc'", "sh -c 'export X=1'"),
    "module without a name": do("module load", "module use"),
    "srun without a program": do("srun", "srun --ntasks=4"),
    "one dash behind srun": do("srun -np 4 ./a", "srun -time=5 ./a", "srun --np 4 ./a"),
    "equals behind srun's short option": do("srun -n=4 ./a", "srun -c=4 ./a", "srun -N=1 ./a"),
    "srun's option misspelt": do("srun --ntask-per-nodes=1 ./a", "srun --cpus-per-tasks=4 ./a"),
    "variable without its option": do(
        "echo $SLURM_NTASKS_PER_GPU", "echo ${SLURM_GPUS_PER_TASK}", "echo $SLURM_NTASKS_PER_CORE"
    ),
    "variable that other schedulers set": do("cd $JOB_ID", "echo ${TASK_ID}", "cd $LS_SUBCWD"),
    "variables of the array without one": do("echo $SLURM_ARRAY_TASK_COUNT", "mkdir $SLURM_ARRAY_JOB_ID"),
    "variable that was never": do("echo $SLURM_JOB_CPUS", "echo $SLURM_NCPUS", "cd $SLURM_TMP", "echo $SLURM_ACCOUNT"),
    "sbatch's variable too late": do("export SBATCH_ACCOUNT=x", "export SBATCH_PARTITION=gpu"),
    "folder of the script": do(
        'cd "$(dirname "$0")"', "cd $(dirname $0)", "cd ${0%/*}", "source $(dirname ${BASH_SOURCE[0]})/env.sh"
    ),
    "threads that are no number": do(
        "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK/2", "export OMP_NUM_THREADS='$SLURM_CPUS_PER_TASK'"
    ),
    "threads of the tasks": together(
        do("export OMP_NUM_THREADS=$SLURM_NTASKS", 'export OMP_NUM_THREADS="$SLURM_NNODES"'), say("--cpus-per-task=8")
    ),
    "exported name misspelt": do(
        "export OMP_NUM_THREAD=4",
        "export CUDA_VISIBLE_DEVICE=0",
        "export LD_LIBARY_PATH=x",
        "export SRUN_CPU_PER_TASK=4",
    ),
    "path of a PC": do("cd C:\\data", "cd /Users/me/x", "python3 D:/x.py", "source venv/Scripts/activate"),
    "Docker": do("docker run image", "docker-compose up", "docker pull ubuntu"),
    "needs a screen": do("firefox", "gedit x", "matlab -desktop", "srun --x11 ./x"),
    "prompt copied along": do("$ ./a", "$ module load gcc", "% make"),
    "Python in the shell": do("import os", "from torch import nn", "endif"),
    "conda misspelt": do("conda activte x", "conda env activate x", "source conda activate x"),
    "monitor that never ends": do("nvidia-smi dmon", "nvitop", "gpustat -i", "vmstat 5"),
}
