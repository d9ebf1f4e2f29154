"""What every command has in common: its options, its help in the language of the run, its example."""

import re
from collections.abc import Callable
from typing import Any, Final

import click

from hiddenagenda.faults import sentence
from hiddenagenda.locale import LANGUAGES
from hiddenagenda_cli.output import Exit, voice
from hiddenagenda_cli.usage import Usage, no_command

CONTEXT: Final[dict[str, Any]] = {
    "help_option_names": ["-h", "--help"],
    "max_content_width": 100,
    # What is too much is complained about by ``Spoken``, in the language of the run.
    "allow_extra_args": True,
}


class Text(click.ParamType[str]):
    """A text that a person typed, whatever encoding the locale claims."""

    name = "text"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ARG002
        """Return the text; bytes that the locale's encoding could not read (PEP 383) are read as UTF-8."""
        return as_typed(value)


class OneOf(click.Choice[str]):
    """One of a few words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the word. Raises ``Usage`` for another."""
        try:
            return super().convert(value, param, ctx)
        except click.BadParameter:
            known = ", ".join(self.choices)
            raise Usage("“{value}” is not one of {known}", value=value, known=known) from None


class Number(click.IntRange):
    """A whole number between two others."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number. Raises ``Usage`` for another."""
        try:
            return int(super().convert(value, param, ctx))
        except click.BadParameter:
            raise Usage(
                "“{value}” is no number from {low} to {high}", value=value, low=self.min, high=self.max
            ) from None


TEXT: Final = Text()
SLOT: Final = Number(1, 16)
"""A slot: ``slip.MOST_SLOTS`` is not imported for every command. A test compares them."""
DESCRIPTOR: Final = Number(0, 2**16)
"""A file descriptor."""


def as_typed(text: str) -> str:
    """Return ``text``; what stands in it for bytes that were not readable (PEP 383) is read as UTF-8 if it can be."""
    try:
        return text.encode("utf-8", "surrogateescape").decode("utf-8")
    except UnicodeError:
        return text  # it is refused where it is used, since a name has no surrogates


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
        type=OneOf(LANGUAGES),
        expose_value=False,
        help="Speak English, German or French; without it the locale decides.",
    )


def _in_places(text: str) -> str:
    """Return a piece of a help page with its words for what is typed, such as FILE, in the language of the run."""
    return re.sub("[A-Z][A-Z]+", lambda word: voice.translate(word[0]), text)


def _option_help(option: click.Option, ctx: click.Context) -> str:
    """Return the translated help of an option, and what it holds without being said."""
    extra = option.get_help_extra(ctx)
    remarks = [extra["range"]] if "range" in extra else []
    if "default" in extra:
        remarks.insert(0, voice.tell(sentence("default: {value}", value=extra["default"])))
    if "required" in extra:
        remarks.append(voice.translate("required"))
    text = voice.translate(option.help or "")
    return f"{text}  [{'; '.join(remarks)}]" if remarks else text


class Speaking(click.Command):
    """A command whose help is spoken in the language of the run."""

    _help: click.Option | None = None

    def get_help_option(self, ctx: click.Context) -> click.Option:
        """Return the help option, which prints through the one printer."""
        # Made once, since click compares parameters by identity; not by click, whose own words cost two milliseconds.
        if self._help is None:
            self._help = click.Option(
                self.get_help_option_names(ctx),
                is_flag=True,
                is_eager=True,
                expose_value=False,
                callback=_show_help,
                help="Show this page.",
            )
        return self._help

    def format_usage(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write how the command is called."""
        pieces = " ".join(self.collect_usage_pieces(ctx))
        formatter.write_usage(ctx.command_path, _in_places(pieces), prefix=voice.translate("Usage: "))

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
            record = param.get_help_record(ctx)
            if record is not None:
                records.append((_in_places(record[0]), _option_help(param, ctx)))
        with formatter.section(voice.translate("Options")):
            formatter.write_dl(records)


class Spoken(Speaking):
    """A command that does something: its help ends with an example."""

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

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Parse, and refuse what is too much. Raises ``click.UsageError``."""
        try:
            rest = super().parse_args(ctx, args)
        except click.UsageError as error:
            error.ctx = error.ctx or ctx  # click's parser does not say where it was
            raise
        if rest and not ctx.resilient_parsing:
            raise Usage("“{argument}” is one argument too many", argument=rest[0]).at(ctx)
        return rest

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """Write the example; tests run it."""
        if self.example:
            with formatter.section(voice.translate("Example")):
                for line in self.example.splitlines():
                    formatter.write(f"{'':{formatter.current_indent}}{line}\n")


class Family(Speaking, click.Group):
    """A command with commands of its own, such as ``cards``."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that is meant. Raises ``Usage`` where there is none."""
        if args and self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise no_command(args[0], self.list_commands(ctx)).at(ctx)
        return super().resolve_command(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options, then the commands."""
        super().format_options(ctx, formatter)
        self.format_commands(ctx, formatter)

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
        made = click.group(name, cls=Family, context_settings=CONTEXT, help=help)(function)
        made.params.append(language_option())
        return made

    return decorate
