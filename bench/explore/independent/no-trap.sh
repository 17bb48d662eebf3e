#!/usr/bin/env bash
# Set -e ends it before its last line, which removes what it made.
# Mistake: left-behind
set -euo pipefail
. "$(dirname "$0")/lib.sh"
ensure_group trial
call PUT "/workgroups/$GROUP/allow_list/enable"
remove "/workgroups/$GROUP"
