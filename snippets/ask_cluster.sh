#!/bin/sh
# Ask a cluster's scheduler for its configuration. Run this on a login node:
#   sh ask_cluster.sh [ACCOUNT] [JOB_SCRIPT ...]
# It changes nothing on the cluster, takes at most 30 seconds, and writes one text
# file, which names no person, account, node or job. Read it before you send it.
SECONDS_IN_ALL=30
account=${1-}
[ $# -gt 0 ] && shift
if [ -f "$account" ]; then
    echo "Put an account before the job scripts: sh ask_cluster.sh ACCOUNT $account" >&2
    exit 2
fi
export LC_ALL=C

start=$(date +%s)
folder=$(mktemp -d) || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 1' HUP INT TERM

# Run a command while there is time, and write its output to $folder/answer.
ask() {
    left=$((SECONDS_IN_ALL - $(date +%s) + start))
    : > "$folder/answer"
    : > "$folder/error"
    if ! command -v "$1" > /dev/null; then
        reason="this machine does not have the command"
    elif [ "$left" -le 0 ]; then
        reason="no time was left"
    else
        timeout "$left" "$@" > "$folder/answer" 2> "$folder/error" < /dev/null
        status=$?
        [ "$status" -eq 0 ] && return 0
        reason="it ended with status $status"
    fi
    return 1
}

# Write a section of the file, from its name, the filter for its lines, and a command.
section() {
    name=$1 filter=$2
    shift 2
    if ask "$@"; then
        program=${1##*/}
        shift
        echo "## $name: $program $*"
        "$filter" < "$folder/answer"
    else
        echo "# not asked: $name: $reason"
    fi
}

# The filters keep only known fields, and drop values with unexpected characters.
VALUE='^[A-Za-z0-9_.:,+*()=\/-]+$'

# From `Key=value Key=value`, keep these keys.
keep() {
    awk -v keys="$1" -v value="$VALUE" '
        BEGIN { split(keys, list, " "); for (i in list) known[list[i]] = 1 }
        {
            out = ""; own = ""
            for (i = 1; i <= NF; i++) {
                at = index($i, "=")
                key = substr($i, 1, at - 1); is = substr($i, at + 1)
                if (key ~ /^Node(Name|Addr|HostName)$/) own = own "," is ","
                if (!(key in known)) continue
                if (key ~ /^(Allow|Deny)/ && is != "ALL") is = "(some)"  # names nobody
                if (is !~ value) continue
                if (key == "AvailableFeatures") {  # a feature may be a node name
                    n = split(is, each, ","); is = ""
                    for (j = 1; j <= n; j++)
                        if (!index(own, "," each[j] ","))
                            is = is (is ? "," : "") each[j]
                    if (!is) is = "(null)"
                }
                out = out (out ? " " : "") key "=" is
            }
            if (out) print out
        }'
}
partitions() {
    keep "PartitionName Default DefaultTime MaxTime MinNodes MaxNodes \
        MaxCPUsPerNode MaxMemPerNode MaxMemPerCPU DefMemPerNode DefMemPerCPU \
        JobDefaults OverSubscribe QoS State TotalCPUs TotalNodes Hidden \
        AllowGroups AllowAccounts AllowQos DenyAccounts \
        TRESBillingWeights"
}
# Identical nodes become one line that starts with their number.
nodes() {
    keep "Arch CPUTot CPUEfctv CoreSpecCount Sockets CoresPerSocket ThreadsPerCore \
        RealMemory MemSpecLimit TmpDisk Gres AvailableFeatures Partitions" |
        sort | uniq -c |
        awk '{ $1 = "Count=" $1; print }'
}
# From `Key = value`, keep these keys.
config() {
    keys="ClusterName SLURM_VERSION EnforcePartLimits GresTypes JobDefaults"
    keys="$keys MaxArraySize DefMemPerCPU DefMemPerNode MaxMemPerCPU MaxMemPerNode"
    awk -v keys="$keys AccountingStorageEnforce" -v value="$VALUE" '
        BEGIN { split(keys, list, " "); for (i in list) known[list[i]] = 1 }
        $1 in known && $2 == "=" && NF == 3 && $3 ~ value { print $1 " = " $3 }'
}
# Columns separated by bars. A line with unexpected characters is dropped.
columns() {
    awk -F '|' '{
        for (i = 1; i <= NF; i++)
            if ($i !~ /^[A-Za-z0-9_.:,+*()\/=-]*$/) next
        print }'
}
# Names of modules, without folders and without modules of people and projects.
# Lmod prints them to standard error, unless a site has redirected it.
modules() {
    cat "$folder/error" - | awk -v home="${HOME:-/home}" -v user="${USER:-$(id -un)}" '
        /:$/ {
            ours = !(index($0, home) || index($0, "/" user))
            if ($0 ~ /^\/(home|users?|projects?|groups?|scratch|work|data)\//) ours = 0
            next
        }
        ours && /^[A-Za-z0-9_.+\/-]+(\([A-Za-z:]+\))*$/ { print }'
}

# Would Slurm accept these job scripts? This submits nothing. From a rejection, only
# Slurm's own words are kept.
FAILED="Batch job submission failed"
verdicts() {
    for script; do
        case $(basename "$script") in *[!A-Za-z0-9_.-]*) continue ;; esac
        sum=$(sha256sum "$script" 2> /dev/null | cut -d ' ' -f 1)
        if [ -z "$sum" ]; then
            echo "# not asked: $(basename "$script"): it cannot be read"
        elif ask sbatch --test-only ${account:+"--account=$account"} "$script"; then
            echo "accepted $sum $(basename "$script")"
        elif grep -q "$FAILED" "$folder/error"; then
            words="s|.*$FAILED: \([A-Za-z0-9 ,.()/_'-]*\)\$|\1|p"
            words=$(sed -n "$words" "$folder/error")
            echo "refused $sum $(basename "$script") $words"
        else
            echo "# not asked: $(basename "$script"): $reason"
        fi
    done
}

everything() {
    echo "# ask_cluster.sh 1: what a scheduler reports about itself. It names nobody."
    echo "# date: $(date +%Y-%m-%d)"
    [ -n "${TWIN_PYTHON-}" ] && echo "# twin: yes"  # a simulated scheduler
    if command -v scontrol > /dev/null; then
        section config config scontrol show config
        section partitions partitions scontrol -o show partition
        section nodes nodes scontrol -o show node
        section sinfo columns sinfo -a -e -h \
            -o '%P|%a|%l|%L|%s|%h|%D|%X|%Y|%Z|%c|%m|%d|%G'
        section qos columns sacctmgr -n -P show qos \
            format=Name,MaxWall,MaxTRES,MaxTRESPU,MaxJobsPU,MaxSubmitPU,MinTRES
        if [ $# -gt 0 ]; then
            echo "## verdicts: sbatch --test-only"
            verdicts "$@"
        fi
    else
        echo "# not asked: scheduler: no scontrol; run this on a login node"
    fi
    if [ -n "${LMOD_CMD-}" ]; then
        section modules modules "$LMOD_CMD" bash -t avail
    else
        echo "# not asked: modules: there is no Lmod here"
    fi
    for each in lfs csc-workspaces lumi-workspaces diskusage_report quota; do
        command -v "$each" > /dev/null && echo "# there is a command for quotas: $each"
    done
    echo "# end"
}

everything "$@" > "$folder/all"
file=asked-$(date +%Y-%m-%d).txt
name=$(sed -n 's/^ClusterName = \([A-Za-z0-9_-]*\)$/\1/p' "$folder/all" | head -n 1)
[ -n "$name" ] && file=asked-$name-$(date +%Y-%m-%d).txt
cp "$folder/all" "$file" || exit 1
echo "Wrote $file. Read it, then send it, or compare it: ./guide compare CLUSTER $file"
sed -n 's/^# not asked: /Could not ask for /p' "$file"
