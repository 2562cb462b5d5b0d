#!/bin/sh
# install.sh: puts a release of brenner into the home folder, without a compiler: ~/.local/bin/brenner, with its manual pages,
# completions, documents and examples below ~/.local/share. The archive must have the sum that SHA256SUMS says, and that
# file the signature of those who made the release. Nothing outside the folder is written, and nothing is started.
#
#   sh install.sh                   the version that this script came with
#   BRENNER_PREFIX=/opt/brenner sh install.sh
#   BRENNER_FROM=FOLDER sh install.sh      a folder or an address that holds the release
#
# To remove it: rm ~/.local/bin/brenner, and ~/.local/share/doc/brenner.
set -eu

version='@VERSION@'                  # filled in when a release is made
from=${BRENNER_FROM:-'@FROM@'}
key='@KEY@'                          # who signs; empty: this release is not signed
prefix=${BRENNER_PREFIX:-$HOME/.local}

fail() {
  echo "install.sh: $1" >&2
  shift
  for line in "$@"; do echo "  $line" >&2; done
  exit 1
}

have() { command -v "$1" >/dev/null 2>&1; }

platform() {
  case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  *) fail "there is no archive for $(uname -s) here; on Windows unpack brenner_${version}_windows_amd64.zip" ;;
  esac
  case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no archive for $(uname -m), only for amd64 and arm64" ;;
  esac
}

# fetch NAME: a file of the release, into the folder where we work.
fetch() {
  case $from in
  http://* | https://*)
    if have curl; then
      curl -fsSL -o "$1" "$from/$1"
    elif have wget; then
      wget -q -O "$1" "$from/$1"
    else
      fail "neither curl nor wget is installed"
    fi || fail "$from/$1 cannot be fetched"
    ;;
  *) cp "$from/$1" "$1" 2>/dev/null || fail "there is no $1 in $from" ;;
  esac
}

# authentic: SHA256SUMS was signed by those who made the release.
authentic() {
  if [ -z "$key" ]; then
    echo "install.sh: this release is not signed; only its sums are checked" >&2
    return
  fi
  have ssh-keygen || fail "ssh-keygen is missing, so that the signature cannot be checked" "install openssh-client, and begin again"
  fetch SHA256SUMS.sig
  printf 'release namespaces="brenner-release" %s\n' "$key" >signers
  ssh-keygen -Y verify -q -f signers -I release -n brenner-release -s SHA256SUMS.sig <SHA256SUMS >verified 2>&1 ||
    fail "SHA256SUMS was not signed by those who made this script: nothing was installed" "$(cat verified)"
}

sum() {
  if have sha256sum; then
    sha256sum "$1"
  elif have shasum; then
    shasum -a 256 "$1"
  else
    openssl dgst -sha256 -r "$1"
  fi | cut -d ' ' -f 1
}

# whole NAME: the archive has the sum that was signed.
whole() {
  want=$(sed -n "s/^\([0-9a-f]\{64\}\)  $1\$/\1/p" SHA256SUMS)
  [ -n "$want" ] || fail "SHA256SUMS does not name $1: nothing was installed"
  got=$(sum "$1")
  [ "$got" = "$want" ] || fail "$1 is not what was released: nothing was installed" "its sum is $got" "it should be $want"
}

# place FILE FOLDER: over an older one at once, also while that runs.
place() {
  mkdir -p "$2"
  cp "$1" "$2/.new-$$"
  mv -f "$2/.new-$$" "$2/$(basename "$1")"
}

main() {
  platform
  name=brenner_${version}_${os}_$arch
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  case $from in
  http://* | https://* | /*) ;;
  *) from=$PWD/$from ;;
  esac
  cd "$work"
  fetch SHA256SUMS
  authentic
  fetch "$name.tar.gz"
  whole "$name.tar.gz"
  tar xzf "$name.tar.gz"
  cd "$name"

  for f in man/*.1; do [ ! -f "$f" ] || place "$f" "$prefix/share/man/man1"; done
  if [ -d completions ]; then
    mv completions/brenner.bash completions/brenner
    place completions/brenner "$prefix/share/bash-completion/completions"
    place completions/_brenner "$prefix/share/zsh/site-functions"
    place completions/brenner.fish "$prefix/share/fish/vendor_completions.d"
  fi
  mkdir -p "$prefix/share/doc/brenner"
  for f in README.md LICENSE CHANGELOG.md THIRD_PARTY_LICENSES.txt doc examples; do
    [ ! -e "$f" ] || cp -R "$f" "$prefix/share/doc/brenner/"
  done
  place brenner "$prefix/bin"

  echo "brenner $version is installed: $prefix/bin/brenner"
  case ":$PATH:" in
  *":$prefix/bin:"*) echo "see it: brenner demo --open" ;;
  *)
    echo "your shell does not look there yet; put this line into its profile:"
    echo "  export PATH=\"$prefix/bin:\$PATH\""
    echo "see it: $prefix/bin/brenner demo --open"
    ;;
  esac
}

main
