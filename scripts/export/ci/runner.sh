#!/bin/bash -l
@DIRECTIVES@

# One GitHub runner for one job. Then GitHub removes it. For validate: sbatch --time=@LONG@ runner.sh
set -euo pipefail
url=https://github.com/OWNER/REPOSITORY  # SET: your copy of the guide's repository
runner="$HOME/actions-runner"            # GitHub's runner, unpacked once
secret="$HOME/.config/gpu-guide-token"   # a registration token, valid for an hour; the job reads it when it starts

if [ "$(stat -c %a "$secret")" != 600 ]; then
    echo "Others can read $secret. Run: chmod 600 $secret" >&2
    exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$runner/." "$work"
cd "$work"
ACTIONS_RUNNER_INPUT_TOKEN=$(< "$secret") ./config.sh --unattended --ephemeral --disableupdate \
    --url "$url" --name "@KEY@-$SLURM_JOB_ID" --labels @KEY@
./run.sh
