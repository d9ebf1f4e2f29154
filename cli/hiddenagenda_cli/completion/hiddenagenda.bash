# Completion for hiddenagenda in bash. The program says what fits; this quotes what it inserts.
# Nothing that was typed or is offered is expanded or executed.
_hiddenagenda() {
    local line=${COMP_LINE:0:COMP_POINT} lines kind word quote="'"
    COMPREPLY=()
    # What bash will replace is $2, the end of the line: it begins after an opening quote, or a ":" or "=" in the word.
    lines=$(printf '%s\0' "${line%"$2"}" "$2" | command hiddenagenda completion bash --candidates 2>/dev/null) || return
    kind=${lines%%$'\n'*}
    case $kind in
        files) compopt -o default 2>/dev/null ;;
        directories) compopt -o dirnames 2>/dev/null ;;
    esac
    [[ $lines == *$'\n'* ]] || return
    while IFS= read -r word; do
        word=${word%%$'\t'*}
        case $kind in
            bare) [[ $word ]] && printf -v word %q "$word" ;;
            single) word=${word//$quote/$quote\\$quote$quote} ;;
            double)
                word=${word//\\/\\\\}
                word=${word//\"/\\\"}
                word=${word//\$/\\\$}
                word=${word//\`/\\\`}
                word=${word//\!/\"\\!\"}
                ;;
            ansi)
                word=${word//\\/\\\\}
                word=${word//$quote/\\$quote}
                ;;
        esac
        COMPREPLY+=("$word")
    done <<<"${lines#*$'\n'}"
    # After "conspiracy=" a name follows: no blank, and no closing quote, which a second candidate prevents.
    if [[ ${#COMPREPLY[@]} == 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
        [[ $kind == bare ]] || COMPREPLY+=("${COMPREPLY[0]}...")
    fi
}
complete -o nosort -F _hiddenagenda hiddenagenda 2>/dev/null || complete -F _hiddenagenda hiddenagenda
