"""`python -m widgets.serving`: serve the page."""

from __future__ import annotations

import os
import sys

from tutor.core import environ
from widgets.serving import cell
from widgets.serving import options as opts

#: A checker of international addresses, of which jsonschema builds the grammar where it finds it: half of the whole
#: start, and none of Jupyter's schemas has such an address.
UNASKED = "rfc3987_syntax"


def main(argv: list[str] | None = None) -> int:
    """Read the options, prepare the environment, serve.

    Args:
        argv: Command line without the program's name; this process's by default.

    Returns:
        Exit status: 0 after a clean stop, 1 when serving is not possible (one French line on stderr).
    """
    secrets = environ.shed(environ.is_secret)
    try:
        options = opts.read(sys.argv[1:] if argv is None else argv, os.environ)
        if options.origin and not options.proxies:
            print(opts.ONE_ADDRESS, file=sys.stderr)
        opts.prepare_environment(os.environ, options.host)  # type: ignore[arg-type]
        sys.modules.setdefault(UNASKED, None)  # type: ignore[arg-type]  # Python's way to say: not here
        # Only now: Jupyter reads its paths from the environment.
        from widgets.serving.app import run

        if os.environ.get("LDV_CONFINE") != "0":
            cell.hide()
        run(options, secrets)
    except opts.BadOption as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
