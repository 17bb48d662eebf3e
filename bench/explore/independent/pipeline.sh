#!/usr/bin/env bash
# Without pipefail, only the last command of a pipeline counts.
# Mistake: false-success
set -eu
. "$(dirname "$0")/lib.sh"
ensure_group team
curl -sSf --retry 2 --retry-delay 1 "$ROOT/workgroups/$GROUP/allow_list" -H "x-api-key: $SVC_MOCK_KEY" \
  -H 'content-type: application/json' -d '{"cidr": "10.0.0.0/8"}' | tail -n 1 >/dev/null
