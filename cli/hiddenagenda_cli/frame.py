"""What every command has in common: its options, its help in the language of the run, its example."""

from collections.abc import Callable
from typing import Any, Final

import click

from hiddenagenda.faults import Sentence
from hiddenagenda.locale import LANGUAGES
from hiddenagenda_cli.output import Exit, voice

CONTEXT: Final[dict[str, Any]] = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


def _show_help(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001, FBT001
    if value and not ctx.resilient_parsing:
        voice.result(ctx.get_help())
        ctx.exit()


def _set_json(ctx: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: ARG001, FBT001
    if value:
        voice.as_json = True


def language_option() -> click.Option:
    """Return the option ``--lang``; its value was read before parsing, so that help speaks the language, too."""
    return click.Option(
        ["--lang"],
        type=click.Choice(LANGUAGES),
        expose_value=False,
        help="Speak English, German or French; without it the locale decides.",
    )


class Spoken(click.Command):
    """A command whose help is spoken in the language of the run and ends with an example."""

    def __init__(self, name: str, *, example: str = "", **arguments: Any) -> None:
        super().__init__(name, **arguments)
        self.example = example
        self.params += [
            click.Option(
                ["--json"],
                is_flag=True,
                expose_value=False,
                callback=_set_json,
                help="Print the result as JSON.",
            ),
            language_option(),
        ]

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the help option, which prints through the one printer."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
            option.help = voice.translate("Show this page.")
        return option

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write what the command does."""
        for paragraph in voice.translate(self.help or "").split("\n\n"):
            formatter.write_paragraph()
            with formatter.indentation():
                formatter.write_text(paragraph)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options with their translated help."""
        records = []
        for param in self.get_params(ctx):
            if not isinstance(param, click.Option):
                continue
            english = param.help
            param.help = voice.translate(english or "")
            record = param.get_help_record(ctx)
            param.help = english
            if record is not None:
                records.append(record)
        with formatter.section(voice.translate("Options")):
            formatter.write_dl(records)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the example; tests run it."""
        if self.example:
            with formatter.section(voice.translate("Example")):
                for line in self.example.splitlines():
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class Family(click.Group):
    """A command with commands of its own, such as ``cards``."""

    def get_help_option(self, ctx: click.Context) -> click.Option | None:
        """Return the help option, which prints through the one printer."""
        option = super().get_help_option(ctx)
        if option is not None:
            option.callback = _show_help
            option.help = voice.translate("Show this page.")
        return option

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write what these commands are for."""
        formatter.write_paragraph()
        with formatter.indentation():
            formatter.write_text(voice.translate(self.help or ""))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands, a line each."""
        rows = []
        for name in self.list_commands(ctx):
            command = self.get_command(ctx, name)
            if command is not None:
                rows.append((name, voice.translate(command.short_help or "")))
        with formatter.section(voice.translate("Commands")):
            formatter.write_dl(rows)


def command(
    name: str,
    *,
    example: str,
    help: str,  # noqa: A002 - click's word
    short_help: str = "",
) -> Callable[[Callable[..., Exit]], click.Command]:
    """Make a command of a function that returns an exit code. ``example`` is shown by ``--help`` and run by a test."""

    def decorate(function: Callable[..., Exit]) -> click.Command:
        return click.command(
            name, cls=Spoken, context_settings=CONTEXT, help=help, short_help=short_help, example=example
        )(function)

    return decorate


def subcommand(
    parent: click.Group,
    name: str,
    *,
    example: str,
    help: str,  # noqa: A002 - click's word
    short_help: str,
) -> Callable[[Callable[..., Exit]], click.Command]:
    """Make a command of a family; the arguments are those of ``command``."""

    def decorate(function: Callable[..., Exit]) -> click.Command:
        made = command(name, example=example, help=help, short_help=short_help)(function)
        parent.add_command(made)
        return made

    return decorate


def family(name: str, *, help: str) -> Callable[[Callable[..., Any]], click.Group]:  # noqa: A002 - click's word
    """Make a command that holds commands."""

    def decorate(function: Callable[..., Any]) -> click.Group:
        return click.group(name, cls=Family, context_settings=CONTEXT, help=help)(function)

    return decorate


class Usage(click.UsageError):
    """A usage error whose message is a sentence."""

    def __init__(self, text: str, /, **values: object) -> None:
        said = Sentence(text, values)
        super().__init__(str(said))
        self.said = said
