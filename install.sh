#!/bin/sh
# Installs the program `retrieval-contracts` from a release: downloads the archive for this system, compares its checksum, and unpacks it.
set -eu

# A release has its own copy of this script, in which this is its repository.
from=https://github.com/OWNER/REPOSITORY/releases/latest/download
to=${HOME:-}/.local/bin
program=retrieval-contracts

usage() {
    cat <<END
Usage: install.sh [--to DIR] [--from URL]

  --to DIR     where the program goes, ~/.local/bin when left out
  --from URL   the folder of the release, $from when left out
END
}

fail() {
    printf 'install.sh: %s\n' "$1" >&2
    exit 1
}

while [ $# -gt 0 ]; do
    case $1 in
        --to | --from) [ -n "${2:-}" ] || fail "$1 needs a value" ;;
    esac
    case $1 in
        --to) to=$2 && shift ;;
        --from) from=${2%/} && shift ;;
        --help | -h) usage && exit 0 ;;
        *) usage >&2 && fail "unknown argument: $1" ;;
    esac
    shift
done

case $(uname -s) in
    Linux) system=linux ;;
    Darwin) system=macos ;;
    *) system=$(uname -s) ;;
esac
case $(uname -m) in
    arm64 | aarch64) machine=aarch64 ;;
    amd64 | x86_64) machine=x86_64 ;;
    *) machine=$(uname -m) ;;
esac
archive=$program-$machine-$system.tar.gz
case $machine-$system in
    x86_64-linux | aarch64-linux | x86_64-macos | aarch64-macos) ;;
    *) fail "there is no archive for $machine-$system; build it with Rust: cargo install --locked --path xtask" ;;
esac
case $from in
    */OWNER/*) fail "say where the releases are: --from https://github.com/…/releases/latest/download" ;;
esac
case $to in
    /.local/bin) fail "HOME is not set; say where the program goes: --to DIR" ;;
esac

download() {
    if command -v curl >/dev/null; then
        curl --fail --silent --show-error --location --retry 2 --output "$2" "$1"
    elif command -v wget >/dev/null; then
        wget --quiet --output-document="$2" "$1"
    else
        fail "curl or wget is needed"
    fi || fail "$1 cannot be downloaded"
}

sum() {
    if command -v sha256sum >/dev/null; then
        sha256sum "$1"
    elif command -v shasum >/dev/null; then
        shasum -a 256 "$1"
    else
        fail "sha256sum or shasum is needed"
    fi | cut -d ' ' -f 1
}

mkdir -p "$to" || fail "the folder $to cannot be made"
# In the destination, so that the last step is a rename: the program is whole, or as it was.
folder=$(mktemp -d "$to/.install.XXXXXX") || fail "nothing can be written to $to"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM HUP

download "$from/$archive.sha256" "$folder/sum"
download "$from/$archive" "$folder/$archive"
expected=$(cut -d ' ' -f 1 "$folder/sum")
received=$(sum "$folder/$archive")
[ "$expected" = "$received" ] ||
    fail "$from/$archive has the checksum $received, and $expected was expected: nothing is installed"
tar -xzof "$folder/$archive" -C "$folder" || fail "$archive cannot be unpacked"
version=$("$folder/$program/$program" --version) || fail "$archive does not start on this machine: nothing is installed"
mv -f "$folder/$program/$program" "$to/$program"

printf '%s is installed as %s\n' "$version" "$to/$program"
case :${PATH:-}: in
    *:"$to":*) ;;
    *) printf 'Add %s to PATH to call it by its name.\n' "$to" ;;
esac
