#!/usr/bin/env bash
# Checks the scripts named in FILES for CLUSTER, or those in DOCUMENTS, and shows each finding on its line. Ends as
# `guide check` does, and with 2 where a pattern has no file.
set -euo pipefail
shopt -s globstar nullglob

guide="$(cd "$(dirname "$0")" && pwd)/../../../guide"
read -r -d '' -a documents <<< "$DOCUMENTS" || true
if [ "${#documents[@]}" -gt 0 ]; then
    read -r -d '' -a systems <<< "$CLUSTER" || true
    exec "$guide" docs --github "${systems[@]/#/--system=}" -- "${documents[@]}"
fi
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
"$guide" check --github -- "$CLUSTER" "${files[@]}"
