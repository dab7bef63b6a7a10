"""sbatch's options, and whether a value follows: as in the manuals and sources of Slurm 22.05 to 26.05."""

from __future__ import annotations

# The letter behind a colon is the option's short name.
_VALUE = """
account:A acctg-freq array:a autocomplete batch bb bbf begin:b chdir:D cluster cluster-constraint clusters:M comment
constraint:C container container-id container-type context core-spec:S cores-per-socket cpu-freq cpus-per-gpu
cpus-per-task:c deadline delay-boot dependency:d distribution:m error:e exclude:x export export-file extra
extra-node-info:B gid gpu-bind gpu-freq gpus:G gpus-per-node gpus-per-socket gpus-per-task gres gres-flags hint input:i
job-name:J kill-on-invalid-dep licenses:L mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mem-update
mincpus network nodefile:F nodelist:w nodes:N ntasks:n ntasks-per-core ntasks-per-gpu ntasks-per-node
ntasks-per-socket ntasks-per-tres open-mode output:o partition:p power prefer priority profile qos:q reservation
resources segment signal sockets-per-node switches tasks-per-node thread-spec threads-per-core time:t time-min tmp
tres-bind tres-per-task uid wait-all-nodes wckey wrap
"""
_OF_PLUGINS = "argos"  # a site's own: CSC's on Roihu, https://docs.csc.fi/apps/nsys/
_MAYBE = "exclusive get-user-env nice no-kill:k oom-kill-step propagate resv-ports"
_NONE = """
consolidate-segments contiguous external help:h hold:H ignore-pbs no-requeue overcommit:O oversubscribe:s parsable
quiet:Q reboot requeue spread-job spread-segments stepmgr test-only usage use-min-nodes verbose:v version:V wait:W
"""

TAKES: dict[str, str] = {}  # long name -> value, maybe (only behind `=`), or none
SHORT: dict[str, str] = {}  # letter -> long name
for _takes, _words in (("value", _VALUE + _OF_PLUGINS), ("maybe", _MAYBE), ("none", _NONE)):
    for _word in _words.split():
        _name, _, _letter = _word.partition(":")
        TAKES[_name] = _takes
        if _letter:
            SHORT[_letter] = _name
SAME = {"cluster": "clusters", "tasks-per-node": "ntasks-per-node"}  # another name for the same option

# srun's long options: sbatch's, and its own. The underscores are older spellings that it still takes.
SRUN_TAKES = {
    *TAKES,
    *"""
accel-bind bcast bcast-exclude compress cpu-bind cpu_bind disable-status epilog exact het-group immediate interactive
jobid kill-on-bad-exit label mem_bind mpi msg-timeout multi-prog no-allocate overlap pack-group preserve-env prolog pty
quit-on-interrupt relative send-libs slurmd-debug task-epilog task-prolog threads treewidth unbuffered whole x11
""".split(),
}
