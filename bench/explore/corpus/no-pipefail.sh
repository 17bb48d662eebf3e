#!/bin/bash
# Has set -e, but not pipefail.
# Class: errors hidden
# Report: iov-one/iov-core#998
# Client: iov-core, before the change
# Mistake: false-success
. "$(dirname "$0")/lib.sh"

set -e
ensure_group project
enable() { curl -sS -m 5 --fail -X PUT "$ROOT/workgroups/$GROUP/allow_list/enable" -H "x-api-key: $SVC_MOCK_KEY"; }
#- enable | cat >/dev/null
#+ again call PUT "/workgroups/$GROUP/allow_list/enable"
echo enabled
