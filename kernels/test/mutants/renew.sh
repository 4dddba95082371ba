#!/bin/sh
# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# renew.sh begin|end NAME
#
# begin: copies the kernels twice, to build/mutants/renew/NAME/a and …/b, and applies those hunks of patches/NAME.patch that fit
# to the second copy. end: writes the patch from the difference of the copies, below the head that it had, or, if it is new,
# below the text of mutants.txt. CONTEXT=6 gives it six lines of context.
set -eu
here=kernels/test/mutants
tab=$(printf '\t')
[ $# -eq 2 ] || { echo "usage: renew.sh begin|end NAME" >&2; exit 2; }
name=$2
copies=build/mutants/renew/$name
patch=$here/patches/$name.patch
what=$(sed -n "s/^$name$tab[^$tab]*$tab[^$tab]*$tab//p" "$here/mutants.txt")
[ -n "$what" ] || { echo "$name: mutants.txt does not list it" >&2; exit 1; }
case $1 in
begin)
    rm -rf "$copies"
    for side in a b; do
        mkdir -p "$copies/$side/kernels"
        cp -a kernels/vulkan kernels/cpu kernels/shapes "$copies/$side/kernels/"
    done
    [ ! -e "$patch" ] || patch -f -p1 -F 0 -d "$copies/b" <"$patch" || echo "what did not fit: the files .rej in $copies/b"
    echo "edit $copies/b, then: sh $here/renew.sh end $name"
    ;;
end)
    [ -d "$copies/b" ] || { echo "$name: first 'sh $here/renew.sh begin $name'" >&2; exit 1; }
    find "$copies/b" -type f \( -name '*.rej' -o -name '*.orig' -o -name '*~' \) -exec rm -f {} +
    {
        echo "$name: $what"
        [ ! -e "$patch" ] || sed -n '1d; /^--- /q; p' "$patch"
        for file in $(cd "$copies/b" && find kernels -type f | LC_ALL=C sort); do
            diff -p -U "${CONTEXT:-3}" --label "a/$file" --label "b/$file" "$copies/a/$file" "$copies/b/$file" || [ $? -eq 1 ]
        done
    } >"$copies/patch"
    grep -q '^@@ ' "$copies/patch" || { echo "$name: the copies in $copies do not differ" >&2; exit 1; }
    cp "$copies/patch" "$patch"
    rm -rf "$copies"
    ;;
*)
    echo "usage: renew.sh begin|end NAME" >&2
    exit 2
    ;;
esac
