# The parts of a careful client in shell. The mistakes are in the clients.

ROOT="$SVC_MOCK_URL/controller/v4/v2"

# call METHOD PATH [BODY]: sends a request once. Prints the result; fails with the status, or 0 without a complete reply.
call() {
  local reply code status after
  after=
  reply=$(curl -sS -m 5 -D "$HEADERS" -w '\n%{http_code}' -X "$1" "$ROOT$2" -H "x-api-key: $SVC_MOCK_KEY" \
    ${3:+-H 'content-type: application/json' -d "$3"} 2>/dev/null) && code=0 || code=$?
  status=${reply##*$'\n'}
  reply=${reply%$'\n'*}
  if [ "$code" != 0 ] || ! jq -e 'has("Error")' <<<"$reply" >/dev/null 2>&1; then
    STATUS=0
    return 1
  fi
  STATUS=$status
  jq -e '.Error == false' <<<"$reply" >/dev/null || return 1
  RESULT=$(jq -c '.Result' <<<"$reply")
}
HEADERS=$(mktemp)
trap 'rm -f "$HEADERS"' EXIT

# back_off ATTEMPT: waits longer each time, and at least as long as the server asks for.
back_off() {
  local after
  after=$(tr -d '\r' <"$HEADERS" | sed -n 's/^[Rr]etry-[Aa]fter: //p')
  sleep "$(jq -n "[0.05 * pow(2; $1), (${after:-0})] | max")"
}

is_transient() { [ "$STATUS" = 0 ] || [ "$STATUS" = 429 ] || [ "$STATUS" -ge 500 ]; }

# again COMMAND …: runs a repeatable command up to five times.
again() {
  local attempt
  for attempt in 0 1 2 3 4; do
    if "$@"; then return 0; fi
    is_transient || return 1
    back_off "$attempt"
  done
  return 1
}

# remove PATH: removes something, which may be gone already.
remove_once() { call DELETE "$1" || [ "$STATUS" = 404 ]; }
remove() { again remove_once "$1"; }

# ensure_group NAME: creates a workgroup unless it exists, and looks again after a failure. Sets GROUP.
ensure_group_once() {
  call GET /workgroups || return 1
  GROUP=$(jq -r --arg name "$1" 'first(.[] | select(.name == $name)).workgroup_id // empty' <<<"$RESULT")
  [ -z "$GROUP" ] || return 0
  call POST /workgroups "$(jq -n --arg name "$1" '{name: $name, cloud_provider_id: "account"}')" || return 1
  GROUP=$(jq -r .workgroup_id <<<"$RESULT")
}
ensure_group() { again ensure_group_once "$1"; }

# ensure_workspace GROUP NAME: likewise for a workspace. Sets WORKSPACE.
ensure_workspace_once() {
  call GET "/workgroups/$1" || return 1
  WORKSPACE=$(jq -r --arg name "$2" 'first(.workspaces[] | select(.name == $name)).workspace_id // empty' <<<"$RESULT")
  [ -z "$WORKSPACE" ] || return 0
  call POST "/workgroups/$1/workspaces" "$(jq -n --arg name "$2" '{name: $name}')" || return 1
  WORKSPACE=$(jq -r .workspace_id <<<"$RESULT")
}
ensure_workspace() { again ensure_workspace_once "$1" "$2"; }

# wait_for PATH STATUS: for a limited time, and not in a final status.
wait_for() {
  local attempt now
  for attempt in $(seq 60); do
    again call GET "$1" || return 1
    now=$(jq -r .status <<<"$RESULT")
    [ "$now" != "$2" ] || return 0
    [ "$now" != Failed ] || return 1
    sleep 0.05
  done
  return 1
}

# wait_until_gone PATH
wait_until_gone() {
  local attempt
  for attempt in $(seq 60); do
    again call GET "$1" || { [ "$STATUS" = 404 ] && return 0 || return 1; }
    sleep 0.05
  done
  return 1
}

# ensure_active GROUP NAME: the usual beginning. An earlier run may have left the workspace in any state.
ensure_active() {
  ensure_group "$1" && ensure_workspace "$GROUP" "$2" && again call GET "/workgroups/$GROUP/workspaces/$WORKSPACE" || return 1
  case $(jq -r .status <<<"$RESULT") in
    Failed)
      remove "/workgroups/$GROUP/workspaces/$WORKSPACE" || return 1
      wait_until_gone "/workgroups/$GROUP/workspaces/$WORKSPACE" && ensure_workspace "$GROUP" "$2" || return 1
      ;;
    Stopped) again resume || return 1 ;;
  esac
  wait_for "/workgroups/$GROUP/workspaces/$WORKSPACE" Active
}
resume() {
  call GET "/workgroups/$GROUP/workspaces/$WORKSPACE" || return 1
  [ "$(jq -r .status <<<"$RESULT")" != Stopped ] || call POST "/workgroups/$GROUP/workspaces/$WORKSPACE/resume"
}
