#!/usr/bin/env bash
# Curl without --fail succeeds with an error.
# Mistake: false-success
set -euo pipefail
. "$(dirname "$0")/lib.sh"
ensure_group team
curl -sS -X PUT "$ROOT/workgroups/$GROUP" -H "x-api-key: $SVC_MOCK_KEY" -H 'content-type: application/json' \
  -d '{"workgroup_name": "crew"}' >/dev/null
