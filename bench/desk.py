"""A desk in a process of its own, as `ldv serve` has it: prints its address and key (`python -m bench.desk`)."""

from __future__ import annotations

import asyncio
import json
import os
import signal

from widgets.serving.desk.desk import Desk


async def main() -> None:
    """Serve until told to stop."""
    desk = Desk(os.environ)
    await desk.start()
    await desk.librarian.engine()
    stopped = asyncio.Event()
    asyncio.get_running_loop().add_signal_handler(signal.SIGTERM, stopped.set)
    print(json.dumps([desk.address, desk.key]), flush=True)
    await stopped.wait()
    await desk.stop()


if __name__ == "__main__":
    asyncio.run(main())
