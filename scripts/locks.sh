#!/bin/bash
# Pins test.in, with all that it pulls in, in requirements.txt, and what is installed elsewhere in requirements-NAME.txt.
# Versions that still fit stay. With --check it writes nothing, and fails if a file is stale.
set -euo pipefail
cd "$(dirname "$0")/.."
unset "${!UV_@}"  # PyPI alone, whatever this machine's settings say
export UV_HTTP_RETRIES=1
uv=$PWD/.venv/bin/uv
pythons=(3.11.2 3.12 3.13)  # Debian 12, Ubuntu 24.04, Debian 13
own=(cuda12 reframe)  # in environments of their own; all others agree with requirements.txt
new=$(mktemp -d)
trap 'rm -rf "$new"' EXIT
cp -r requirements requirements*.txt "$new"

pin() {  # pin NAME LOCK OPTION...
    "$uv" --directory "$new" "${@:3}" pip compile --quiet --universal --python-version "${pythons[0]}" \
        --annotation-style line --custom-compile-command "make locks" "requirements/$1.in" --output-file "$2" > /dev/null
}

# First with all that torch asks for, so that the versions suit it; uv.toml then leaves torch's own packages to torch.
pin test requirements.txt --no-config
pin test requirements.txt --config-file "$PWD/requirements/uv.toml"
for name in check gpu mcp "${own[@]}"; do
    [[ " ${own[*]} " = *" $name "* ]] || cp "$new/requirements.txt" "$new/requirements-$name.txt"  # uv keeps these versions
    pin "$name" "requirements-$name.txt" --config-file "$PWD/requirements/uv.toml"
done

# PyPI has a built package of everything, for each Python on Linux. The other files are parts of requirements.txt.
for lock in requirements "${own[@]/#/requirements-}"; do
    for python in "${pythons[@]}"; do
        "$uv" --no-config pip compile --quiet --python-version "$python" --python-platform linux --only-binary :all: \
            "$new/$lock.txt" > /dev/null
    done
done

for lock in "$new"/requirements*.txt; do
    name=$(basename "$lock")
    cmp --silent "$lock" "$name" && continue
    [ "${1-}" = --check ] && { echo "$name: it does not follow from requirements/. Run \`make locks\`." >&2; exit 1; }
    cp "$lock" "$name" && echo "wrote $name"
done
echo "All requirements resolve from PyPI alone for Python ${pythons[*]}."
