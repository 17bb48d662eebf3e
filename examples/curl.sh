#!/bin/sh
# Pauses a workspace and watches it stop, with curl alone. It needs a running server:
#   svc-mock serve        (or: npm start)
#   sh examples/curl.sh   (another server: MOCK_URL=http://… sh examples/curl.sh)
set -eu

url=${MOCK_URL:-http://127.0.0.1:4700}
# A new key is a new sandbox.
key="curl-$$-$(date +%s)"

call() { # METHOD PATH [BODY]
  curl --silent --show-error --fail-with-body --request "$1" "${url%/}$2" \
    --header "x-api-key: $key" --header 'Content-Type: application/json' --data "${3:-}"
}

expect() { # WHAT PATTERN TEXT
  case "$3" in
    *"$2"*) echo "ok: $1" ;;
    *) echo "not ok: $1; expected $2 in $3" >&2; exit 1 ;;
  esac
}

api=/controller/v4/v2
call PUT /_mock/seed '{
  "clock": {"mode": "frozen", "now": "2027-01-01T00:00:00Z"},
  "workgroups": [{"id": "main", "workspaces": [{"id": "writer"}]}]
}' > /dev/null

expect 'the seed is there' '"status":"Active"' "$(call GET $api/workgroups/main/workspaces/writer)"
expect 'a pause begins' 'Successfully paused the workspace.' "$(call POST $api/workgroups/main/workspaces/writer/pause)"
expect 'it lasts' '"status":"Pausing"' "$(call GET $api/workgroups/main/workspaces/writer)"
expect 'the clock is moved' 'workspace.pause' "$(call POST /_mock/clock/advance '{"until": "idle"}')"
expect 'it has stopped' '"status":"Stopped"' "$(call GET $api/workgroups/main/workspaces/writer)"
expect 'it was requested once' '"count":1' "$(call POST /_mock/requests/verify '{"operation": "pauseWorkspace", "times": {"exactly": 1}}')"
call DELETE /_mock/sandboxes > /dev/null
