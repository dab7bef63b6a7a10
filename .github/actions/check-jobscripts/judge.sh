#!/usr/bin/env bash
# Judges the scripts named in FILES for CLUSTER, and shows each finding on its line.
# It ends with 1 if one is refused or ignored, 2 if one could not be read.
set -euo pipefail
shopt -s globstar nullglob

read -r -d '' -a patterns <<< "$FILES" || true
files=()
for pattern in "${patterns[@]}"; do
    before=${#files[@]}
    while IFS= read -r file; do files+=("$file"); done < <(compgen -G "$pattern" || true)
    if [ "${#files[@]}" -eq "$before" ]; then
        echo "::error::$pattern: there is no such file. Check the path."
        exit 2
    fi
done
if [ "${#files[@]}" -eq 0 ]; then
    echo "::error::no file is named. Write the scripts' paths into \`files\`."
    exit 2
fi

here=$(cd "$(dirname "$0")" && pwd)
judged=$(mktemp)
trap 'rm -f "$judged"' EXIT
status=0
"$here/../../../guide" judge "$CLUSTER" "${files[@]}" > "$judged" || status=$?
if [ ! -s "$judged" ]; then
    exit 2
fi
node "$here/annotate.js" < "$judged" || exit $?
if [ "$status" -eq 2 ] && ! grep -q '"not judged"' "$judged"; then
    exit 2
fi
