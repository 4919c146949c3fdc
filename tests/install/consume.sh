#!/usr/bin/env bash
# consume.sh BUILD CMAKE VERSION: installs BUILD into a scratch prefix, moves the prefix, and builds a program against it
# twice, by find_package and by pkg-config. Proves that the prefix is complete and needs nothing of the source tree: the
# program must run alone and see the API when the installed library is preloaded, another must link the arena itself,
# the installed command must find its library, and every verb must have its manual page and its completions.
set -euo pipefail
build=$1
cmake=$2
version=$3
consumer=$(cd "$(dirname "$0")/consumer" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

fail() {
  echo "install.consume: $*" >&2
  exit 1
}

# expect WANTED COMMAND...: what COMMAND prints.
expect() {
  local wanted=$1 got
  shift
  got=$("$@") || fail "\"$*\" failed"
  [[ $got == "$wanted" ]] || fail "\"$*\" printed \"$got\", not \"$wanted\""
}

runs_alone_and_preloaded() {
  local program=$1 library=$2
  expect "without memomalloc" "$program"
  expect "with memomalloc" env LD_PRELOAD="$library" "$program"
}

"$cmake" --install "$build" --prefix "$scratch/staged" >"$scratch/log" || fail "$(<"$scratch/log")"
mv "$scratch/staged" "$scratch/prefix"
prefix=$scratch/prefix

expect "memomalloc $version" "$prefix/bin/memomalloc" --version
examined=$("$prefix/bin/memomalloc" doctor 2>&1) || fail "doctor finds a fault: $examined"
[[ $examined == *"$prefix/lib"*/libmemomalloc.so* ]] || fail "the command does not take the library of its prefix: $examined"

[[ $("$prefix/bin/memomalloc" pack --list-strategies) == *telamalloc* ]] || fail "memomalloc-literature is not beside the command"

# The Python side lies beside the library, where the command finds it.
expect "True memomalloc" env XDG_CACHE_HOME="$scratch/cache" "$prefix/bin/memomalloc" -q run -- \
  python3 -c 'import memomalloc; print(memomalloc.is_loaded(), memomalloc.__name__)'

# It is compiled already, for users who may not write there.
compgen -G "$prefix/lib*/memomalloc/python/bootstrap/__pycache__/sitecustomize.*.pyc" >/dev/null ||
  compgen -G "$prefix/lib/*/memomalloc/python/bootstrap/__pycache__/sitecustomize.*.pyc" >/dev/null ||
  fail "the Python side is not compiled"

# The verbs, as the installed completion offers them.
offered() {
  bash --norc -c 'source "$1"; COMP_WORDS=(memomalloc ""); COMP_CWORD=1; _memomalloc; echo "${COMPREPLY[*]}"' \
    bash "$prefix/share/bash-completion/completions/memomalloc"
}
read -ra verbs <<<"$(offered)"
((${#verbs[@]} > 1)) || fail "the completion offers no verbs"
for verb in "${verbs[@]}"; do
  [[ -s $prefix/share/man/man1/memomalloc-$verb.1 ]] || fail "there is no manual page of $verb"
  grep -q "'$verb:" "$prefix/share/zsh/site-functions/_memomalloc" || fail "zsh is not told of $verb"
done

"$cmake" -S "$consumer" -B "$scratch/cmake" -G Ninja -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 ||
  fail "$(<"$scratch/log")"
"$cmake" --build "$scratch/cmake" >"$scratch/log" 2>&1 || fail "$(<"$scratch/log")"
runs_alone_and_preloaded "$scratch/cmake/consumer" "$(<"$scratch/cmake/preload")"
expect "refuses a plan that is not there" "$scratch/cmake/embedder"

PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name memomalloc.pc)")
export PKG_CONFIG_PATH
expect "$version" pkg-config --modversion memomalloc
read -ra flags <<<"$(pkg-config --cflags --libs memomalloc)"
cc "$consumer/consumer.c" "${flags[@]}" -o "$scratch/consumer" || fail "cc does not build with ${flags[*]}"
runs_alone_and_preloaded "$scratch/consumer" "$(pkg-config --variable=preload memomalloc)"
c++ -std=c++20 "$consumer/embedder.cpp" "${flags[@]}" -o "$scratch/embedder" || fail "c++ does not build with ${flags[*]}"
expect "refuses a plan that is not there" "$scratch/embedder"
