#!/usr/bin/env bash
# Until … do sleep, without an end.
# Mistake: hang
set -euo pipefail
. "$(dirname "$0")/lib.sh"
ensure_group team
ensure_workspace "$GROUP" main
until call GET "/workgroups/$GROUP/workspaces/$WORKSPACE" && [ "$(jq -r .status <<<"$RESULT")" = Active ]; do
  sleep 0.05
done
