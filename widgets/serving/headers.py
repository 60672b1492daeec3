"""What every answer says to the browser besides its content, and how cookies are made: decided here, once."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Callable, Sequence
from typing import Any

from tornado.httputil import HTTPHeaders, HTTPServerRequest
from tornado.web import OutputTransform

#: What Voilà puts in a page whose kernel lets it wait for more than its `http_keep_alive_timeout`.
HEARTBEAT = "window.voila_heartbeat()"
#: What ends a page that had begun: it cannot be made, and says so; or it begins otherwise by now, and is asked for again.
FAILED, ANEW = "ldv.failed();", "location.reload();"
#: What shows the first picture of a page, and how far its kernel is.
LOADING = "ldv.loading();"
#: The page's scripts that stand in the page itself (`index.html.j2`), each of them always the same.
INLINE = (LOADING, "ldv.cell();", HEARTBEAT, "window.voila_finish();", FAILED, ANEW)
#: A year, as browsers want it to take it seriously.
HSTS = "max-age=31536000"
#: Devices and powers that no lesson uses; the clipboard stays open (a link or a report is copied).
PERMISSIONS = ", ".join(
    f"{name}=()"
    for name in (
        "accelerometer",
        "camera",
        "display-capture",
        "geolocation",
        "gyroscope",
        "magnetometer",
        "microphone",
        "midi",
        "payment",
        "usb",
    )
)


def cookie_options(secure: bool, readable: bool = False, framed: bool = False) -> dict[str, Any]:
    """How a cookie of this server is set.

    Args:
        secure: whether the public address is https: then the cookie goes by https alone.
        readable: whether the page's own scripts read it (the cross-site token).
        framed: whether pages of other sites may show ours within them: then it goes with them too.

    >>> cookie_options(True)
    {'path': '/', 'samesite': 'Lax', 'secure': True, 'httponly': True}
    """
    return {"path": "/", "samesite": "None" if framed and secure else "Lax", "secure": secure, "httponly": not readable}


def script_hash(script: str) -> str:
    """A script as a policy names it.

    >>> script_hash("")
    "'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='"
    """
    return f"'sha256-{base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()}'"


#: The page's scripts, as its policy names them.
SCRIPTS = " ".join(map(script_hash, INLINE))


def page_policy(host: str, secure: bool = False, frames: Sequence[str] = ()) -> str:
    """Content-Security-Policy of a page: nothing comes from, or goes to, another host.

    Args:
        host: of the request, with its port.
        secure: whether the public address is https.
        frames: sites that may show the page within theirs, as `https://host`.
    """
    socket = f"wss://{host}" if secure else f"ws://{host} wss://{host}"
    return "; ".join(
        [
            "default-src 'self'",
            # `blob:`, because anywidget imports each widget's script from one: without it no board answers a pointer.
            f"script-src 'self' blob: {SCRIPTS}",
            "script-src-attr 'none'",
            # Lumino and ipywidgets put style sheets and attributes in the page as they draw it: styles run nothing.
            "style-src 'self' 'unsafe-inline'",
            "img-src 'self' data: blob:",  # icons in style sheets; pictures that kernels send, as blobs
            f"connect-src 'self' {socket}",  # 'self' is no websocket for Safari before 15.4
            "worker-src 'none'",
            "frame-src 'none'",
            "object-src 'none'",
            "base-uri 'none'",
            "form-action 'self'",
            " ".join(["frame-ancestors 'self'", *frames]),
        ]
    )


def hardened(secure: bool) -> Callable[[HTTPServerRequest], OutputTransform]:
    """What completes the headers of every answer, whichever handler gives it.

    Args:
        secure: whether the public address is https.
    """
    every = {
        "X-Content-Type-Options": "nosniff",
        "Referrer-Policy": "same-origin",
        "Permissions-Policy": PERMISSIONS,
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        **({"Strict-Transport-Security": HSTS} if secure else {}),
    }

    class Hardened(OutputTransform):
        def transform_first_chunk(
            self, status_code: int, headers: HTTPHeaders, chunk: bytes, finishing: bool
        ) -> tuple[int, HTTPHeaders, bytes]:
            for name, value in every.items():
                headers.setdefault(name, value)
            # Voilà's pages: where a browser reads before their <meta> has come, « ç » is two letters.
            if headers.get("Content-Type") == "text/html":
                headers["Content-Type"] = "text/html; charset=UTF-8"
            # A page has its own; what is no page runs nothing, wherever it is opened.
            headers.setdefault("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
            return status_code, headers, chunk

    return Hardened
