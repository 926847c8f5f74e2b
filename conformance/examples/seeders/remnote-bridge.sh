#!/bin/sh
# An MCP server for RemNote with the corpus behind it: `remnote-bridge.sh BRIDGE-PORT SERVER...`. The server waits for a bridge at
# the port; instead of RemNote the reference is that bridge. Ends when the server does, and the suite ends both.
set -eu
port=$1
shift
corpus=${CORPUS:-$(cd "$(dirname "$0")/../../../fixtures" && pwd)}
# REFERENCE is the program where it is built already; the bridge tries again until the server listens.
if [ -n "${REFERENCE:-}" ]; then
    "$REFERENCE" bridge --connect "ws://127.0.0.1:$port" --corpus "$corpus" &
else
    (cd "$(dirname "$0")/../../.." && exec cargo xtask reference bridge --connect "ws://127.0.0.1:$port" --corpus "$corpus") &
fi
exec "$@"
