"""From Grid Engine to Slurm, option by option: qsub's manual beside sbatch's."""

from __future__ import annotations

from collections.abc import Iterator

from scripts.facts.model import Cluster
from scripts.migration.line import Line

Row = tuple[str, str, str]  # old, new, reason

OPTIONS: list[Row] = [
    ("#$", "#SBATCH", "Slurm ignores directives after the first command, so keep them at the top."),
    ("-N one-gpu", "--job-name=one-gpu", ""),
    ("-cwd", "", "A job starts where it was submitted."),
    ("-S /bin/bash", "", "The first line of the script sets the shell: `#!/bin/bash -l`."),
    ("-j y", "", "Output and errors go to one file unless you request two."),
    ("-o one-gpu.$JOB_ID.out", "--output=%x-%j.out", "`%x` is the job's name, and `%j` is the job ID."),
    ("-e errors.txt", "--error=errors.txt", ""),
    ("-l h_rt=01:30:00", "--time=01:30:00", ""),
    ("-l h_vmem=4G", "--mem-per-cpu=4G", "Or `--mem=`, for all cores of a node together."),
    ("-pe smp 8", "--ntasks=1 --cpus-per-task=8", "Cores of one node, for one program."),
    ("-pe ib 80", "--ntasks=80", "This many processes, on several nodes."),
    ("-t 1-10", "--array=1-10", ""),
    ("-tc 2", "--array=1-10%2", "This many at once, as part of `--array`."),
    ("-hold_jid 123456", "--dependency=afterany:123456", ""),
    ("-m be", "--mail-type=BEGIN,END", ""),
    ("-M me@example.org", "--mail-user=me@example.org", ""),
    ("-V", "", "Slurm passes the environment to the job by default."),
    ("-v NAME=value", "--export=ALL,NAME=value", ""),
    ("-a 202601011200", "--begin=2026-01-01T12:00", ""),
    ("-P project", "", "For private queues only."),
    ("-l nodes=2", "--nodes=2 --exclusive", "Whole nodes."),
    ("-l np=80", "--ntasks=80 --exclusive", "Whole nodes for this many processes."),
    ("-l ppn=2", "--ntasks-per-node=2", ""),
    ("-l tpp=20", "--cpus-per-task=20", ""),
    ("-l placement=scatter", "--spread-job", "`optimal` needs no option."),
    ("-l disk_out=results", 'cp -r "$TMPDIR" results', "A line at the end of the script."),
    ("-l disk_usejobname=true", 'cp -r "$TMPDIR" "results/$SLURM_JOB_NAME"', "As above, with the job's name."),
]
LOST: list[Row] = [
    ("-l disk=10G", "", "The node's jobs share the local disk, and you cannot reserve a part."),
    ("-l disk_type=ssd", "", "There is one kind of local disk."),
]
COMMANDS: list[Row] = [
    ("qsub job.sh", "sbatch job.sh", ""),
    ("qrsh -l h_rt=01:00:00 -pty y bash", "srun --time=01:00:00 --pty bash", ""),
    ("qstat", "squeue --me", ""),
    ("qstat -j 123456", "scontrol show job 123456", ""),
    ("qdel 123456", "scancel 123456", ""),
    ("qacct -j 123456", "sacct --jobs=123456", ""),
    ("$JOB_ID", "$SLURM_JOB_ID", ""),
    ("$JOB_NAME", "$SLURM_JOB_NAME", ""),
    ("$NSLOTS", "$SLURM_CPUS_PER_TASK", "For the cores of one program. For processes, `$SLURM_NTASKS`."),
    ("$SGE_TASK_ID", "$SLURM_ARRAY_TASK_ID", ""),
    ("$SGE_O_WORKDIR", "$SLURM_SUBMIT_DIR", ""),
]


def lines(old: Cluster, new: Cluster) -> Iterator[Line]:
    """Nothing, unless the one has Grid Engine and the other Slurm."""
    if (old.scheduler.kind, new.scheduler.kind) != ("grid_engine", "slurm"):
        return
    for rows, lost in ((OPTIONS, False), (LOST, True), (COMMANDS, False)):
        for before, after, why in rows:
            yield Line("scheduler", before, after, why, lost)
