#!/bin/bash
# Show what the working tree does to the tables, compared with a commit: diff.sh PYTHON COMMIT; `make tables-diff` calls it.
set -euo pipefail
python=$1 commit=$2 folder=$(mktemp -d)
trap 'git worktree remove --force "$folder/commit" || true; rm -rf "$folder"' EXIT
git worktree add --quiet --detach "$folder/commit" "$commit"
for tree in "$folder/commit" "$PWD"; do
    (cd "$tree" && "$python" -m scripts.tables > /dev/null)
done
mkdir "$folder/before" "$folder/after"
cp -r "$folder"/commit/build/made/{tables,changes.md} "$folder/before"
cp -r build/made/{tables,changes.md} "$folder/after"
(cd "$folder" && git --no-pager diff --no-index before after) || [ $? = 1 ] # 1: they differ
