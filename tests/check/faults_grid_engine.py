"""What people really get wrong in scripts for Grid Engine."""

from tests.check.faults_slurm import FAULTS as OF_SLURM
from tests.check.planted import Planter, change, do, say, together, whole

BOTH = (
    "Windows line ends",
    "byte-order mark",
    "empty line before #!",
    "blank before #!",
    "comment before #!",
    "no #!",
    "#! without #",
    "#! without !",
    "#! misspelt",
    "#! relative",
    "env with two words",
    "variable of PBS",
    "$ missing",
    "blanks in an assignment",
    "csh in bash",
    "ends in the background",
    "GPU chosen by hand",
    "conda init in a job",
    "modules purged again",
    "module misspelt",
    "needs root",
    "waits for a person",
    "interpreter alone",
    "sleeps",
    "typographic dash in a command",
    "typographic quotes in a command",
    "blank without break in a command",
)


def no_occasion(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("#$ -m"))


FAULTS: dict[str, Planter] = {
    **{name: OF_SLURM[name] for name in BOTH},
    "blank after #": change(lambda line, draw: line.replace("#$", draw.choice(("# $", "#  $", "#\t$")))),
    "indented": change(lambda line, draw: draw.choice((" ", "  ", "    ", "\t")) + line),
    "another prefix": change(lambda line, draw: line.replace("#$", draw.choice(("#%", "#&", "#S", "#\u00a7")))),
    "Slurm's or PBS's prefix": change(lambda line, draw: line.replace("#$", draw.choice(("#SBATCH", "#PBS", "#BSUB")))),
    "no #": change(lambda line, draw: line[1:]),
    "# and $ exchanged": change(lambda line, draw: "$#" + line[2:]),
    "no option": change(lambda line, draw: draw.choice(("#$", "#$  "))),
    "no dash": change(lambda line, draw: line.replace("#$ -", draw.choice(("#$ ", "#$")))),
    "two dashes": change(lambda line, draw: line.replace("#$ -", "#$ --")),
    "typographic dash": change(lambda line, draw: line.replace(" -", " " + draw.choice("\u2013\u2014\u2212"), 1)),
    "non-breaking space": change(lambda line, draw: line.replace("#$ ", "#$\u00a0")),
    "placeholder": change(lambda line, draw: line.split("=")[0] + draw.choice(("=<value>", "=<your value>")), "-l"),
    "blanks around =": change(lambda line, draw: line.replace("=", draw.choice((" = ", "= ", " =")), 1), "-l"),
    "equals behind an option": say("-N=job", "-cwd=/tmp", "-t=1-10", "-j=y", "-o=x.log"),
    "seconds": say("-l h_rt=48", "-l h_rt=24", "-l h_rt=1", "-l h_rt=12"),
    "not a time": say(
        "-l h_rt=two", "-l h_rt=1h", "-l h_rt=00:48", "-l h_rt=1-00:00:00", "-l h_rt=90m", "-l h_rt=1:00"
    ),
    "memory in another form": say("-l h_vmem=4GB", "-l h_vmem=4GiB", "-l h_vmem=all", "-l h_vmem=4gb"),
    "bytes": say("-l h_vmem=4", "-l h_vmem=16", "-l h_vmem=4000"),
    "blank in the list": say("-l h_rt=1:0:0, h_vmem=4G", "-l h_rt=1:0:0 h_vmem=4G", "-l h_vmem=4 G", "-l h_rt 1:0:0"),
    "no number of slots": say("-pe smp", "-pe 4 smp", "-pe smp=4", "-pe"),
    "name": say("-N 1job", "-N my job", "-N a/b", "-N 2nd"),
    "variable": say("-o $SCRATCH/x.log", "-e $(date).err", "-o `date`.log", "-o ${DATA}/x"),
    "sign of Slurm": say("-o %j.out", "-e %x-%A_%a.err", "-o out.%j"),
    "tasks": say("-t 0-9", "-t 1-10%2", "-t 1..10", "-t 1:10"),
    "address without an occasion": together(say("-M me@leeds.ac.uk", "-M me@uni.org"), whole(no_occasion)),
    "occasion": say("-m END", "-m ALL", "-m END,FAIL"),
    "join": say("-j oe", "-j", "-j join"),
    "variable of Slurm": do(
        "export OMP_NUM_THREADS=$SLURM_CPUS_PER_TASK", "cd $SLURM_SUBMIT_DIR", "echo ${SLURM_JOB_ID}"
    ),
    "command of Slurm": do("srun ./a", "sbatch next.sh", "squeue"),
    # found missing when the check was attacked
    "task without an array": do("echo $SGE_TASK_ID", "python3 x.py ${SGE_TASK_ID}"),
    "output into a folder that may not be there": say("-o logs/x.out", "-o out/err/x.log"),
    "shell without its path": say("-S bash", "-S bin/bash", "-S /bin/bsh"),
    "errors joined and kept": say("-j y|-e x.err", "-j y -e err.txt"),
    "only verified": say("-w v", "-verify", "-w p"),
    "slots with a point": say("-pe smp 4.5", "-pe smp 1.5"),
    "memory that is nothing": say("-l h_rt=1:0:0,h_vmem=512K", "-l h_rt=1:0:0 -l h_vmem=64K"),
    "typographic sign in a value": say("-N \u201cx\u201d", "-N x\u200b"),
    "given twice": say("-N a|-N b", "-pe smp 2|-pe smp 4"),
    "another job inside": do("qrsh ./a", "qlogin", "qsub $0"),
}
