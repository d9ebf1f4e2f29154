"""``completion``: a completion script for a shell, and the candidates that such a script asks for."""

import sys

import click

from hiddenagenda_cli import frame
from hiddenagenda_cli.completion import SHELLS, script
from hiddenagenda_cli.files import read_standard_input
from hiddenagenda_cli.output import Exit, language, voice


@frame.command(
    "completion",
    help=(
        "Print a completion script for a shell: the Tab key then offers commands, options, conspiracies, card names and"
        " your own commitments, quoted as the shell needs it.\n\n"
        'bash, in ~/.bashrc: eval "$(hiddenagenda completion bash)"\n\n'
        'zsh, in ~/.zshrc after compinit: eval "$(hiddenagenda completion zsh)"\n\n'
        "fish, in config.fish: hiddenagenda completion fish | source"
    ),
    example="hiddenagenda completion bash",
)
@click.argument("shell", type=frame.OneOf(SHELLS))
@click.option(
    "--candidates", is_flag=True, hidden=True, help="Read a command line, print what its last word may become."
)
@click.pass_context
def command(ctx: click.Context, shell: str, candidates: bool) -> Exit:
    """Print the script, or what it asks for."""
    if candidates:
        _complete(ctx.find_root().command, shell)
    elif voice.as_json:
        voice.json({"shell": shell, "script": script(shell)})
    else:
        voice.result(script(shell).removesuffix("\n"))
    return Exit.KEPT


def _complete(program: click.Command, shell: str) -> None:
    # These are dear to import, and not needed to print a script.
    from hiddenagenda_cli.completion.candidates import candidates, unmistakable  # noqa: PLC0415
    from hiddenagenda_cli.completion.typed import Typed, of_line  # noqa: PLC0415

    data = read_standard_input()
    encoding = sys.stdin.encoding
    *before, last = data.decode(encoding, "replace").removesuffix("\0").split("\0")
    typed = Typed(words=tuple(before[1:]), last=last) if shell == "fish" else of_line("".join(before), last)
    stated, was_stated = language(typed.words)
    if was_stated:
        voice.language, voice.language_stated = stated, True
    lines = candidates(program, typed)
    if shell != "fish":
        lines = unmistakable(lines, typed)
    # A letter that the terminal cannot show would be another name.
    voice.result("\n".join(line for line in lines if line.encode(encoding, "ignore").decode(encoding) == line))
