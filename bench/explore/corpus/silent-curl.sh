#!/bin/bash
# Pipes the output of curl into the next program, and does not notice that curl failed.
# Class: errors hidden
# Report: flynn/flynn#2309
# Client: flynn, before the change
# Mistake: false-success
. "$(dirname "$0")/lib.sh"

ensure_group project || exit 1
enable() { curl -sS -m 5 --fail -X PUT "$ROOT/workgroups/$GROUP/allow_list/enable" -H "x-api-key: $SVC_MOCK_KEY"; }
#- enable | jq -r .Message
#+ again call PUT "/workgroups/$GROUP/allow_list/enable" || exit 1
exit 0
