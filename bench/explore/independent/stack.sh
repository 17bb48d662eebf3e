#!/usr/bin/env bash
# Sees to it that there is a workgroup with an active workspace.
# Mistake: none
set -euo pipefail
. "$(dirname "$0")/lib.sh"
ensure_active team main
