#!/bin/bash
# Stands in the container under the name of each of the scheduler's commands, and asks the twin of $CLUSTER.
guide=$(dirname "$(readlink -f "$0")")/../../..
PATH=${PATH//"$(cd "$guide" && pwd)/commands:"/} # the twin finds the scheduler's own
exec "$guide/guide" twin "$CLUSTER" ${ACCOUNTS:+--accounts} "${0##*/}" "$@"
