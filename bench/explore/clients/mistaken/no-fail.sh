#!/usr/bin/env bash
# Mistake: curl without --fail succeeds with an error (false-success).
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
ensure_group team
curl -sS -X PUT "$ROOT/workgroups/$GROUP" -H "x-api-key: $SVC_MOCK_KEY" -H 'content-type: application/json' \
  -d '{"workgroup_name": "crew"}' >/dev/null
