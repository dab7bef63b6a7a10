#!/bin/bash
# Install packages with apt, each by itself, so that a name unknown here costs only itself: those given, or those of
# system_packages.txt that are missing; with ALL=yes also those that only the tests by night need. Ends with 0 also where nothing can be installed: then the tests say what they leave out.
set -u
list=$(dirname "$0")/system_packages.txt

there() { # there COMMAND_OR_FILE...: is one of them there?
    local probe
    for probe in "$@"; do
        command -v "$probe" > /dev/null || compgen -G "$probe" > /dev/null && return
    done
    return 1
}

wanted=()
while IFS='|' read -r package probes _; do
    [[ $# -eq 0 && ${ALL:-} == '' && $package == *test-all* ]] && break
    package=${package//[[:space:]]/}
    [[ $package == '' || $package == \#* ]] && continue
    [ $# -eq 0 ] || [[ " $* " == *" $package "* ]] || continue
    read -ra probes <<< "$probes"
    there "${probes[@]}" || wanted+=("$package")
done < "$list"
for package in "$@"; do
    grep -q "^$package " "$list" || wanted+=("$package")
done

[ ${#wanted[@]} -eq 0 ] && exit 0
as_root=()
if ! command -v apt-get > /dev/null; then
    echo "There is no apt here; these stay missing: ${wanted[*]}"
    exit 0
elif [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2> /dev/null || { echo "No right to install; ask for: apt-get install ${wanted[*]}"; exit 0; }
    as_root=(sudo)
fi
echo "Installing with apt: ${wanted[*]}"
export DEBIAN_FRONTEND=noninteractive
"${as_root[@]}" apt-get update -qq > /dev/null 2>&1
for package in "${wanted[@]}"; do
    said=$("${as_root[@]}" apt-get install -y -qq "$package" 2>&1) || echo "apt could not install $package: $(tail -n 1 <<< "$said")"
done
exit 0
