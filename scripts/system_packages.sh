#!/bin/bash
# Install the Debian or Ubuntu packages that the checks use, those that are missing, where apt may.
# With names given, exactly those. Ends with 0 also where nothing can be installed: then the tests say what they skip.
set -u
packages=("$@")
if [ ${#packages[@]} -eq 0 ]; then
    declare -A needed=([shellcheck]=shellcheck [lmod]=/usr/share/lmod [chromium]=chromium [slurmctld]=/usr/sbin/slurmctld [slurm-client]=sbatch [slurmd]=/usr/sbin/slurmd
        [gridengine-master]=/usr/lib/gridengine/sge_qmaster [gridengine-exec]=/usr/lib/gridengine/sge_execd [gridengine-client]=qsub
        [libnss-wrapper]=/usr/share/doc/libnss-wrapper)
    for package in "${!needed[@]}"; do
        command -v "${needed[$package]}" > /dev/null || [ -e "${needed[$package]}" ] || packages+=("$package")
    done
fi
[ ${#packages[@]} -eq 0 ] && exit 0
if ! command -v apt-get > /dev/null; then
    echo "There is no apt here; these stay missing: ${packages[*]}"
    exit 0
fi
run=()
if [ "$(id -u)" -ne 0 ]; then
    sudo -n true 2> /dev/null || { echo "No right to install; ask for: apt-get install ${packages[*]}"; exit 0; }
    run=(sudo)
fi
echo "Installing with apt: ${packages[*]}"
export DEBIAN_FRONTEND=noninteractive
"${run[@]}" apt-get update -qq > /dev/null 2>&1
"${run[@]}" apt-get install -y -qq "${packages[@]}" > /dev/null 2>&1 || echo "apt could not install: ${packages[*]}"
exit 0
