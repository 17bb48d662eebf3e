#!/bin/sh
# Ignores that the exit code of a pipe is that of its last command.
# Mistake: false-success enableAllowList
set -e
base="$SVC_MOCK_URL/controller/v4/v2"
send() { # METHOD PATH [BODY]
  curl -sS -m 3 --fail-with-body --retry 4 --retry-delay 1 -X "$1" "$base$2" -H "x-api-key: $SVC_MOCK_KEY" \
    -H 'content-type: application/json' ${3:+-d "$3"}
}
id=$(send POST /workgroups '{"name": "main", "cloud_provider_id": "a"}' | jq -er .Result.workgroup_id)
send PUT "/workgroups/$id/allow_list/enable" | jq -r '.Message // "enabled"'
exit 0
