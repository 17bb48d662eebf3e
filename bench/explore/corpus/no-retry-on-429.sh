#!/bin/bash
# Ends when a poll is answered with 429.
# Class: one bad poll ends the wait
# Report: scaleway/initrd#111
# Client: scaleway/initrd, before the change
# Mistake: left-behind or forgotten
. "$(dirname "$0")/lib.sh"

make_once() {
  call POST /workgroups/main/workspaces '{"name": "writer"}' || return 1
  WORKSPACE=$(jq -r .workspace_id <<<"$RESULT")
}
#- make_once || { ensure_workspace main writer || exit 1; }
#- path="/workgroups/main/workspaces/$WORKSPACE"
#- call GET "$path" || exit 1
#+ ensure_workspace main writer || exit 1
#+ path="/workgroups/main/workspaces/$WORKSPACE"
wait_for "$path" Active || { remove "$path"; exit 1; }
