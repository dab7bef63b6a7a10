#!/bin/bash
# What the container starts: the twin of $CLUSTER, then the command that was given.
set -euo pipefail
guide=$(dirname "$(readlink -f "$0")")/../../..
"$guide/guide" twin "$CLUSTER" ${ACCOUNTS:+--accounts} true
if [ -t 0 ] && [ $# -eq 1 ]; then
    echo "Here the scheduler's commands answer as those of $CLUSTER; its scripts are in /opt/guide/snippets/$CLUSTER."
    echo "Ask before you submit: guide check $CLUSTER my.sh"
fi
exec "$@"
