#!/usr/bin/env bash
# Makes a workgroup and removes it again, also if something fails in between.
# Mistake: none
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tear_down() {
  again call GET /workgroups
  for id in $(jq -r '.[] | select(.name == "trial").workgroup_id' <<<"$RESULT"); do remove "/workgroups/$id"; done
}
tear_down
trap 'tear_down; rm -f "$HEADERS"' EXIT
ensure_group trial
again call PUT "/workgroups/$GROUP" '{"workgroup_name": "trial"}'
