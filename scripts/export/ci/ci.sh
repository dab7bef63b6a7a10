#!/bin/bash -l
# The guide's tests on a GPU of @NAME@, in a job that has one: bash -l ci.sh one_gpu, or bash -l ci.sh validate.
# Start it in the guide's repository. It writes junit.xml, and after validate also evidence.json for `guide record`.
set -euo pipefail
rung=${1:?one_gpu or validate}
status=0

if [ "$rung" = validate ]; then
    # Once, with the modules of validate.sh: pip install --target ~/gpu-guide-packages -r requirements-gpu.txt
    [ -e packages ] || ln -s "$HOME/gpu-guide-packages" packages
    start=$(mktemp)
    PYTEST_ADDOPTS="--junitxml=$PWD/junit.xml" bash -l @VALIDATE@ || status=$?
    record=$(find snippets/measured -name '*.json' -newer "$start" -print -quit)
    rm "$start"
    [ -z "$record" ] || cp "$record" evidence.json
    exit "$status"
fi

SECONDS=0
(cd snippets/programs && bash -l "$OLDPWD/@ONE_GPU@") || status=$?
result="" failures=0
[ "$status" = 0 ] || { result="<failure message=\"exit status $status\"/>" failures=1; }
cat > junit.xml << XML
<testsuite name="@KEY@" tests="1" failures="$failures" time="$SECONDS">
<testcase classname="@KEY@" name="one_gpu.sh" time="$SECONDS">$result</testcase>
</testsuite>
XML
exit "$status"
