#!/usr/bin/env bash
# Mistake: until … do sleep, without an end (hang).
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
ensure_group team
ensure_workspace "$GROUP" main
until call GET "/workgroups/$GROUP/workspaces/$WORKSPACE" && [ "$(jq -r .status <<<"$RESULT")" = Active ]; do
  sleep 0.05
done
