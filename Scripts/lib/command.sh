# shellcheck shell=bash
# What the commands of Scripts in Bash do alike. A command's first comment is its help.
set -euo pipefail
program=${0##*/}
# The manifests read it: a build by these commands treats warnings as errors, and no other build does.
export SWITCHYARD_WARNINGS_AS_ERRORS=1
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)

usage() { sed -n -e '1d; /^#/!q; s/^# \{0,1\}//p' "$0"; }
say() { printf '%s: %s\n' "$program" "$*"; }
fail() {
  printf '%s: error: %s\n' "$program" "$*" >&2
  exit 1
}
misuse() {
  say "$*" >&2
  usage >&2
  exit 64
}

# Handles --help, and refuses every option that the command itself does not know.
other_option() { # OPTION
  [[ $1 == --help || $1 == -h ]] || misuse "unknown option $1"
  usage
  exit 0
}

# Creates the folder $state, which is removed when the command ends, after its `clean_up`.
create_state() {
  state=$(mktemp -d "${TMPDIR:-/tmp}/switchyard-$program.XXXXXX")
  trap 'clean_up; rm -rf "$state"' EXIT
  trap 'exit 129' HUP
  trap 'exit 130' INT
  trap 'exit 143' TERM
}
# A command that has more to end than its folder defines its own.
clean_up() { :; }

# Builds a product, and sets $programs to the folder of programs. The output of the build goes to standard error.
build_product() { # PRODUCT OPTION...
  local product=$1
  shift
  swift build "$@" --product "$product" >&2 || fail "$product did not build (above)"
  programs=$(swift build "$@" --show-bin-path) || fail 'swift build does not say where the programs are'
}
