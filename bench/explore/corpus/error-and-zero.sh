#!/bin/bash
# Uses a command that ends with 0 when the service refuses.
# Class: errors hidden
# Report: outscale/oapi-cli#83
# Client: oapi-cli, before the change
# Mistake: false-success
. "$(dirname "$0")/lib.sh"

ensure_group project || exit 1
#- curl -sS -m 5 -X PUT "$ROOT/workgroups/$GROUP/allow_list/enable" -H "x-api-key: $SVC_MOCK_KEY" >/dev/null
#+ again call PUT "/workgroups/$GROUP/allow_list/enable" || exit 1
