"""``relay``: rooms for strangers."""

import asyncio
import signal
from contextlib import suppress

import click

from hiddenagenda.edge.addresses import Address
from hiddenagenda.edge.relay import Limits, Relay, raise_file_limit
from hiddenagenda.faults import sentence
from hiddenagenda_cli import frame
from hiddenagenda_cli.output import Exit, voice


@frame.command(
    "relay",
    help=(
        "Offer rooms to players who cannot reach each other: it passes on what it cannot read.\n\nIt keeps nothing,"
        " asks for no names, and can drop or delay, and nothing else. For wss:// put a web server in front of it. It"
        " runs until it is interrupted."
    ),
    example="hiddenagenda relay --bind 127.0.0.1:7707",
)
@click.option("--bind", default=":7707", metavar="ADDRESS", help="Where to listen, as in 127.0.0.1:7707 or [::]:7707.")
@click.option("--rooms", type=frame.Number(1, 2**20), default=Limits().rooms, help="How many rooms at the most.")
def command(bind: str, rooms: int) -> Exit:
    """Serve until told to end."""
    address = Address.read(bind)
    raise_file_limit()
    relay = Relay(Limits(rooms=rooms))
    with suppress(KeyboardInterrupt):
        asyncio.run(_serve(relay, address))
    voice.say(
        sentence(
            "passed on {frames} frames of {size} bytes; dropped {dropped} for slow readers; refused {refused} callers",
            frames=relay.counts["frames"],
            size=relay.counts["bytes"],
            dropped=relay.counts["dropped"],
            refused=relay.counts["refused"],
        )
    )
    return Exit.KEPT


async def _serve(relay: Relay, address: Address) -> None:
    told = asyncio.Event()
    loop = asyncio.get_running_loop()
    for name in ("SIGINT", "SIGTERM"):
        with suppress(NotImplementedError):  # Windows: Ctrl-C is a KeyboardInterrupt there
            loop.add_signal_handler(getattr(signal, name), told.set)
    async with relay.serving(address) as served:
        if voice.as_json:
            voice.json({"url": served.url})
        else:
            voice.result(served.url)
        await told.wait()
