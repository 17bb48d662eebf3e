#!/usr/bin/env bash
# Curl --retry-all-errors repeats a create.
# Mistake: duplicate
set -euo pipefail
curl -sSf --retry 3 --retry-delay 1 --retry-all-errors "$SVC_MOCK_URL/controller/v4/v2/workgroups" \
  -H "x-api-key: $SVC_MOCK_KEY" -H 'content-type: application/json' \
  -d '{"name": "team", "cloud_provider_id": "account"}' | jq -r .Result.workgroup_id
