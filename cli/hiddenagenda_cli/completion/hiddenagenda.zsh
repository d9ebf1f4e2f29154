#compdef hiddenagenda
# Completion for hiddenagenda in zsh. The program says what fits; zsh quotes what it inserts.
# Nothing that was typed or is offered is expanded or executed.
_hiddenagenda() {
    emulate -L zsh
    local current=${words[CURRENT]} line
    local -a lines values shown
    current=${current%"$SUFFIX$QISUFFIX"}
    lines=("${(@f)$(
        printf '%s\0' "${(j: :)words[1,CURRENT-1]} " "$current" |
            command hiddenagenda completion zsh --candidates 2>/dev/null
    )}")
    case ${lines[1]} in
        files | directories)
            [[ $PREFIX == --*=* ]] && compset -P 1 '*='
            [[ ${lines[1]} == files ]] && _files || _files -/
            return
            ;;
    esac
    shift lines
    (( $#lines )) || return
    # An empty candidate says that what all share is shorter than what was typed, and must not replace it.
    if [[ -z ${lines[1]} ]]; then
        shift lines
        compstate[insert]=''
        compstate[list]='list force'
    fi
    for line in "${lines[@]}"; do
        values+=("${line%%$'\t'*}")
        shown+=("${line/$'\t'/  -- }")
    done
    if (( $#values == 1 )) && [[ $values == *= ]]; then
        compadd -U -V names -S '' -a values
    elif [[ $lines == *$'\t'* ]]; then
        compadd -U -V names -l -d shown -a values
    else
        compadd -U -V names -a values
    fi
}
if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
    _hiddenagenda "$@"
else
    compdef _hiddenagenda hiddenagenda
fi
