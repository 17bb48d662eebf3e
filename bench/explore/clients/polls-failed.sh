#!/bin/sh
# Waits until the workspace is Active, even if it failed.
# Mistake: hang createWorkspace
set -e
base="$SVC_MOCK_URL/controller/v4/v2"
send() { # METHOD PATH [BODY]
  curl -sS -m 3 --fail-with-body --retry 4 --retry-delay 1 -X "$1" "$base$2" -H "x-api-key: $SVC_MOCK_KEY" \
    -H 'content-type: application/json' ${3:+-d "$3"}
}
id=$(send POST /workgroups '{"name": "main", "cloud_provider_id": "a"}' | jq -r .Result.workgroup_id)
workspace=$(send POST "/workgroups/$id/workspaces" '{"name": "writer"}' | jq -r .Result.workspace_id)
until [ "$(send GET "/workgroups/$id/workspaces/$workspace" | jq -r .Result.status)" = Active ]; do sleep 0.1; done
