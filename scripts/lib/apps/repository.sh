#!/usr/bin/env bash
# repository.sh ROUNDS: git makes a repository, commits, packs and looks through it.
set -euo pipefail
export GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b
export GIT_AUTHOR_DATE='2020-01-01T00:00:00Z' GIT_COMMITTER_DATE='2020-01-01T00:00:00Z'
git init -q -b main .
for ((round = 1; round <= $1; ++round)); do
  seq "$round" 3 60000 >numbers
  seq "$round" 7 20000 >"file$round"
  git add .
  git commit -q -m "round $round"
done
git -c pack.threads=1 gc -q
git log --stat --format=%H | sha256sum
