# Completion for hiddenagenda in fish. The program says what fits; fish quotes what it inserts.
# Nothing that was typed or is offered is expanded or executed.
function __hiddenagenda_candidates
    set -l typed (commandline --current-token --cut-at-cursor)
    set -l word (string unescape -- $typed; or string unescape -- $typed\'; or string unescape -- $typed\")
    set -l lines (printf '%s\0' (commandline --tokenize --current-process --cut-at-cursor) "$word" | command hiddenagenda completion fish --candidates 2>/dev/null)
    switch "$lines[1]"
        case files
            __fish_complete_path "$word"
        case directories
            __fish_complete_directories "$word"
        case '*'
            string join \n -- $lines[2..]
    end
end
complete --command hiddenagenda --no-files --keep-order --arguments '(__hiddenagenda_candidates)'
