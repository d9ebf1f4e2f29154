# Completion for hiddenagenda in bash. The program says what fits; this quotes what it inserts.
# Nothing that was typed or is offered is expanded or executed.
_hiddenagenda() {
    local line=${COMP_LINE:0:COMP_POINT} lines kind word single="'" double='"'
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
            single) word=${word//$single/$single\\$single$single} ;;
            double)
                word=${word//\\/\\\\}
                word=${word//$double/\\$double}
                word=${word//\$/\\\$}
                word=${word//\`/\\\`}
                word=${word//\!/$double\\!$double}
                ;;
            ansi)
                word=${word//\\/\\\\}
                word=${word//$single/\\$single}
                ;;
        esac
        # Readline closes the quotes, but not after a word that ends with one.
        case $kind$word in
            double*\" | single*\' | ansi*\') word+=${word: -1} ;;
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
