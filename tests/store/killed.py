"""A desk in a process of its own, to be killed: prints its address and key, then serves (`python -m tests.store.killed`)."""

from __future__ import annotations

import asyncio
import json
import os
import sys

from widgets.serving.desk.desk import Desk


async def main() -> None:
    """Serve until killed."""
    desk = Desk(os.environ)
    await desk.start()
    await desk.librarian.engine()
    print(json.dumps([desk.address, desk.key]), flush=True)
    await asyncio.Event().wait()


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
