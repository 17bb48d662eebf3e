#!/bin/sh
# Does not check the status.
# Mistake: false-success createWorkspace
base="$SVC_MOCK_URL/controller/v4/v2"
send() { # METHOD PATH [BODY]
  curl -sS -m 3 --fail-with-body --retry 4 --retry-delay 1 -X "$1" "$base$2" -H "x-api-key: $SVC_MOCK_KEY" \
    -H 'content-type: application/json' ${3:+-d "$3"}
}
id=$(send GET /workgroups | jq -r '[.Result[] | select(.name == "main")][0].workgroup_id // empty')
[ -n "$id" ] || id=$(send POST /workgroups '{"name": "main", "cloud_provider_id": "a"}' | jq -r .Result.workgroup_id)
send POST "/workgroups/$id/workspaces" '{"name": "writer"}'
echo done
