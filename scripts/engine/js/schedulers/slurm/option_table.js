// sbatch's options, and whether a value follows: as in the manuals and sources of Slurm 22.05 to 26.05.

// The letter behind a colon is the option's short name. `argos` is a plugin of CSC's: https://docs.csc.fi/apps/nsys/
const VALUE = `account:A acctg-freq array:a autocomplete batch bb bbf begin:b chdir:D cluster cluster-constraint
clusters:M comment constraint:C container container-id container-type context core-spec:S cores-per-socket cpu-freq
cpus-per-gpu cpus-per-task:c deadline delay-boot dependency:d distribution:m error:e exclude:x export export-file extra
extra-node-info:B gid gpu-bind gpu-freq gpus:G gpus-per-node gpus-per-socket gpus-per-task gres gres-flags hint input:i
job-name:J kill-on-invalid-dep licenses:L mail-type mail-user mcs-label mem mem-bind mem-per-cpu mem-per-gpu mem-update
mincpus network nodefile:F nodelist:w nodes:N ntasks:n ntasks-per-core ntasks-per-gpu ntasks-per-node
ntasks-per-socket ntasks-per-tres open-mode output:o partition:p power prefer priority profile qos:q reservation
resources segment signal sockets-per-node switches tasks-per-node thread-spec threads-per-core time:t time-min tmp
tres-bind tres-per-task uid wait-all-nodes wckey wrap argos`
const ONLY_BEHIND_EQUALS = "exclusive get-user-env nice no-kill:k oom-kill-step propagate resv-ports"
const NONE = `consolidate-segments contiguous external help:h hold:H ignore-pbs no-requeue overcommit:O oversubscribe:s
parsable quiet:Q reboot requeue spread-job spread-segments stepmgr test-only usage use-min-nodes verbose:v version:V
wait:W`

/** @type {Map<string, "value" | "maybe" | "none">} long name -> whether a value follows; maybe: only behind `=` */
const TAKES = new Map()
/** @type {Record<string, string>} letter -> long name */
export const SHORT = {}
for (const [takes, names] of /** @type {const} */ ([
  ["value", VALUE],
  ["maybe", ONLY_BEHIND_EQUALS],
  ["none", NONE],
])) {
  for (const word of names.split(/\s+/)) {
    const [name, letter] = word.split(":")
    TAKES.set(name, takes)
    if (letter) SHORT[letter] = name
  }
}

/** Another name for the same option. */
export const SAME = {cluster: "clusters", "tasks-per-node": "ntasks-per-node"}

/** Whether a value follows this option; undefined: sbatch has no such option. @param {string} name */
export const takes = name => TAKES.get(name)

/** The long options of sbatch. @returns {string[]} */
export const sbatchOptions = () => [...TAKES.keys()]
