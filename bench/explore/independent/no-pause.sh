#!/usr/bin/env bash
# A loop that repeats without a pause.
# Mistake: impolite
set -euo pipefail
. "$(dirname "$0")/lib.sh"
for attempt in $(seq 30); do
  ! call GET /workspaces/meta || exit 0
done
exit 1
