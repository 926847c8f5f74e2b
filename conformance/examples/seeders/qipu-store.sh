#!/bin/sh
# A store of notes where qipu looks for it: `qipu-store.sh STORE FOLDER`, where STORE is attic, garden, thorns or tiny. The suite itself
# copies a fresh store for each case of a command line; this is for a server in front of qipu, and for looking around.
set -eu
store=$1 folder=$2
# The suite says where the corpora are; beside this script they are in the checkout.
corpus=${CORPUS:-$(cd "$(dirname "$0")/../../../fixtures" && pwd)}
[ -d "$corpus/records/corpus/$store/.qipu" ] || { echo "there is no store $store in $corpus/records/corpus" >&2; exit 1; }
mkdir -p "$folder"
# In the place of what was there, so that no note of an earlier corpus stays.
rm -rf "$folder/.qipu"
cp -R "$corpus/records/corpus/$store/.qipu" "$folder/.qipu"
cd "$folder"
"${QIPU:-qipu}" index
