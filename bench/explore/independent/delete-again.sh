#!/usr/bin/env bash
# Curl --retry takes the 404 of a repeated delete for a failure.
# Mistake: inconsistent
set -euo pipefail
. "$(dirname "$0")/lib.sh"
ensure_group trial
curl -sSf --retry 3 --retry-delay 1 --retry-all-errors -X DELETE "$ROOT/workgroups/$GROUP" \
  -H "x-api-key: $SVC_MOCK_KEY" >/dev/null
