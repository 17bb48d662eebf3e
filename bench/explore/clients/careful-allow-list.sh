#!/bin/sh
# Makes sure that the allow list of a workgroup is enabled.
# Mistake: none
set -u
base="$SVC_MOCK_URL/controller/v4/v2"
once() { # METHOD PATH [BODY]
  answer=$(curl -sS -m 3 --fail-with-body -X "$1" "$base$2" -H "x-api-key: $SVC_MOCK_KEY" \
    -H 'content-type: application/json' ${3:+-d "$3"}) || return
  printf '%s\n' "$answer"
  case "$answer" in *'"Error":true'*) return 1 ;; esac
}
patiently() { # COMMAND...: tries again, a second later, and two, and four
  for pause in 1 2 4; do
    "$@" && return
    sleep "$pause"
  done
  "$@"
}
ensure_group() {
  reply=$(once GET /workgroups) || return
  id=$(printf '%s' "$reply" | jq -r '[.Result[] | select(.name == "main")][0].workgroup_id // empty')
  [ -z "$id" ] || return 0
  reply=$(once POST /workgroups '{"name": "main", "cloud_provider_id": "a"}') || return
  id=$(printf '%s' "$reply" | jq -r .Result.workgroup_id)
}
patiently ensure_group || exit 1
patiently once PUT "/workgroups/$id/allow_list/enable" || exit 1
