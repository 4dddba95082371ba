# SPDX-License-Identifier: MIT
# SPDX-FileCopyrightText: 2026 The assay authors
#
# Completion for bash 4, with or without the package bash-completion. Load it with `source assay.bash`; make install puts
# it where bash looks. It asks the program for completions (assay complete), so it lists no commands, options or case ids.

_assay() {
    local typing=${COMP_WORDS[COMP_CWORD]}
    local program=${1/#\~\//$HOME/} line=${COMP_LINE:0:$COMP_POINT} answer kind begun word cut='' breaks='' c
    mapfile -t answer < <("$program" complete "$line" 2>/dev/null)
    [ "${#answer[@]}" -ge 3 ] || return 0
    kind=${answer[0]} begun=${answer[1]} word=${answer[2]}
    COMPREPLY=("${answer[@]:3}")

    if [ "$kind" != words ]; then
        local files
        compopt -o filenames 2>/dev/null
        case $kind in
        files) mapfile -t files < <(compgen -f -- "$begun") ;;
        *) mapfile -t files < <(compgen -d -- "$begun") ;;
        esac
        COMPREPLY=("${files[@]/#/${word%"$begun"}}")
    fi

    # Outside quotes, bash replaces only what stands behind the last of its break characters.
    case $typing in \'* | \"*) ;; *)
        for c in : =; do
            case $COMP_WORDBREAKS in *"$c"*) breaks+=$c ;; esac
        done
        [ -n "$breaks" ] && case $word in *["$breaks"]*) cut=${word%"${word##*["$breaks"]}"} ;; esac
        ;;
    esac

    local i
    for i in "${!COMPREPLY[@]}"; do
        word=${COMPREPLY[i]#"$cut"}
        case $typing$kind in
        \'* | \"* | *files | *directories) ;;
        *) case $word in *[!A-Za-z0-9_./:=,^+@%-]*) printf -v word %q "$word" ;; esac ;;
        esac
        COMPREPLY[i]=$word
        case $kind$word in words*[/:,=]) compopt -o nospace 2>/dev/null ;; esac
    done
}
complete -F _assay assay
