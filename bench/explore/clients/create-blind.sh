#!/bin/sh
# Lets curl retry a create after any error.
# Mistake: duplicate createWorkgroup
set -e
base="$SVC_MOCK_URL/controller/v4/v2"
send() { # METHOD PATH [BODY]
  curl -sS -m 3 --fail-with-body --retry 4 --retry-all-errors --retry-delay 1 -X "$1" "$base$2" -H "x-api-key: $SVC_MOCK_KEY" \
    -H 'content-type: application/json' ${3:+-d "$3"}
}
send POST /workgroups '{"name": "main", "cloud_provider_id": "a"}' > /dev/null
