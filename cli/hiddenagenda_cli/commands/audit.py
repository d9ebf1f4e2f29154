"""``audit``: many games judged, counted and compared."""

from contextlib import AbstractContextManager

import click

from hiddenagenda.edge import engines
from hiddenagenda.edge.auditing import Report, Wanted, run
from hiddenagenda.edge.engines import Engine
from hiddenagenda.edge.files import StoreError
from hiddenagenda.faults import sentence
from hiddenagenda.outcome import Outcome
from hiddenagenda_cli import frame
from hiddenagenda_cli.audits import Meter, print_report, report_json
from hiddenagenda_cli.completers import files
from hiddenagenda_cli.names import cards_directory
from hiddenagenda_cli.output import EXITS, Exit, voice, worst
from hiddenagenda_cli.usage import Usage

_FAILING = {
    "broken": (Outcome.BROKEN,),
    "owes": (Outcome.BROKEN, Outcome.OWES),
    "pending": (Outcome.BROKEN, Outcome.OWES, Outcome.PENDING, Outcome.NOT_STARTED),
}


@frame.command(
    "audit",
    help=(
        "Judge many games: files with one game or many, whole directories, packed files (gzip, zstd) and archives (tar,"
        " zip). Lines of one game are put together, wherever they lie.\n\nThe exit code is 1 where something could not"
        " be read; what was found changes it only by --fail-on."
    ),
    example="hiddenagenda audit event/ --out verdicts.jsonl --fail-on broken",
)
@click.argument("paths", nargs=-1, required=True, shell_complete=files, metavar="PATH|GLOB|DIR")
@click.option("--jobs", type=frame.Number(1, 1024), metavar="N", help="Processes at work; by default one a processor.")
@click.option("--engine", type=frame.OneOf(["local", "dask"]), default="local", help="Where the work is done.")
@click.option("--scheduler", metavar="tcp://HOST:PORT", help="A dask scheduler that is running already.")
@click.option(
    "--format",
    "form",
    type=frame.OneOf(["table", "jsonl"]),
    default="table",
    help="A summary for people; or JSON lines: every verdict, unless --out takes them, and the summary last.",
)
@click.option("--out", metavar="FILE", shell_complete=files, help="Write every verdict into a new file, a line each.")
@click.option(
    "--fail-on",
    type=frame.OneOf(list(_FAILING)),
    help="Exit with 3 where a game is broken; also with 4 where one owes; also with 5 where one is pending.",
)
@click.option("--resume", is_flag=True, help="Go on with what an interrupted audit left beside FILE.")
def command(
    paths: tuple[str, ...],
    jobs: int | None,
    engine: str,
    scheduler: str | None,
    form: str,
    out: str | None,
    fail_on: str | None,
    resume: bool,
) -> Exit:
    """Audit, print, and return the exit code."""
    if resume and out is None:
        raise Usage("--resume goes on with an audit that writes its verdicts: give --out, too")
    if scheduler is not None and engine != "dask":
        raise Usage("--scheduler is for --engine dask")
    as_json = voice.as_json or form == "jsonl"
    meter = Meter()
    try:
        with _engine(engine, scheduler, jobs) as working:
            report = run(
                Wanted(paths=paths, out=out, names=_names()),
                working,
                resume=resume,
                watch=meter,
                each=_print_verdicts if as_json and out is None else None,
            )
    except KeyboardInterrupt:
        meter.clear()
        if out is not None:
            voice.say(sentence("what was judged is kept: go on with the same command and --resume"))
        raise
    meter.clear()
    if as_json:
        voice.json({"audit": report_json(report)})
    else:
        print_report(report)
    return _exit(report, fail_on)


def _engine(engine: str, scheduler: str | None, jobs: int | None) -> AbstractContextManager[Engine]:
    count = jobs or engines.processors()
    if engine == "dask":
        return engines.cluster(scheduler, count)
    return engines.processes(count) if count > 1 else engines.here()


def _names() -> str:
    try:
        return cards_directory()
    except StoreError:  # there is no home for imported names
        return ""


def _print_verdicts(lines: bytes) -> None:
    voice.result(lines.decode().removesuffix("\n"))


def _exit(report: Report, fail_on: str | None) -> Exit:
    codes = [] if report.is_complete else [Exit.INPUT]
    if not report.tally.outcomes.total():
        voice.complain(sentence("there is no game in what was given: nothing was judged"))
        codes.append(Exit.INPUT)
    codes += [EXITS[outcome] for outcome in _FAILING.get(fail_on or "", ()) if report.tally.outcomes[outcome]]
    return worst(codes)
