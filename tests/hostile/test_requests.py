"""Requests that no browser sends: an answer or a closed door, and no trace of a fault in the log."""

from __future__ import annotations

import random

from tests.browser.harness import Server
from tests.hostile.conftest import LESSON
from tests.hostile.wire import Kernel, Line, exchange, get

HEAD = b"GET /sante HTTP/1.1\r\nHost: {host}\r\n"
CHUNKED = b"POST /sante HTTP/1.1\r\nHost: {host}\r\nTransfer-Encoding: chunked\r\n\r\n"
UPGRADE = b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: YQ==\r\n"
NOBODY = b"00000000-0000-0000-0000-000000000000"
ODD = [
    HEAD + b"X: " + b"a" * 200_000 + b"\r\n\r\n",
    HEAD + b"".join(b"X-%d: %d\r\n" % (n, n) for n in range(9_000)) + b"\r\n",
    HEAD + b"Cookie: " + b"; ".join(b"c%d=%d" % (n, n) for n in range(9_000)) + b"\r\n\r\n",
    HEAD + b'Cookie: _xsrf=2|x|y|z; =; ;;; a=\xff\xfe"\\\r\n\r\n',
    (HEAD + b"\r\n") * 500,
    HEAD + b"Content-Length: 99999999999999999999\r\n\r\n",
    HEAD + b"Content-Length: -1\r\n\r\n",
    HEAD + b"Content-Length: 1\r\nContent-Length: 2\r\n\r\nab",
    HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    CHUNKED + b"zz\r\n",
    CHUNKED + b"5\r\nabcdefgh",
    CHUNKED + b"ffffffffffffffff\r\n",
    CHUNKED + b"1" * 100,
    CHUNKED + b"1;" + b"x" * 1_000 + b"\r\na\r\n0\r\n\r\n",
    b"POST /sante HTTP/1.1\r\nHost: {host}\r\nContent-Type: multipart/form-data; boundary=\xff\r\nContent-Length: 3\r\n\r\nabc",
    b"POST /x HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 3\r\n\r\n%f\xff",
    b"GET /sante HTTP/1.1\r\n\r\n",
    b"GET /sante HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /sante HTTP/1.1\r\nHost: [::1\r\n\r\n",
    b"GET /sante HTTP/9.9\r\nHost: {host}\r\n\r\n",
    b"GET\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(200),
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"TRACE /sante HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"CONNECT example.org:443 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET http://[ HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET //[ HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /%ff%00 HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /voila/render/%ff.ipynb HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /voila/render/%00.ipynb HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /?jeu=%ff%fe&" + b"&".join(b"a%d=1" % n for n in range(3_000)) + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /l/%ff HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /voila/static/%ff%00/../x HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /voila/static/" + b"a/" * 3_000 + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    HEAD + b"Range: bytes=a-b\r\nIf-None-Match: \xff\r\nIf-Modified-Since: x\r\nAccept-Encoding: \xff\r\n\r\n",
    HEAD + b"Origin: http://[\r\n\r\n",
    HEAD + b"Origin: http://a:b\r\n\r\n",
    HEAD + b"X-Forwarded-For: \xff, [, 1.2.3\r\nX-Real-Ip: x\r\nX-Scheme: x\r\n\r\n",
    HEAD + b"Expect: 100-continue\r\nContent-Length: 5\r\n\r\n",
    HEAD + b"a: b\r\n" + b" folded\r\n" * 5_000 + b"\r\n",
    HEAD + b": x\r\n\r\n",
    HEAD + b"a b\r\n\r\n",
    HEAD + b"a:\x00\r\n\r\n",
    b"GET /api/kernels/" + NOBODY + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"DELETE /api/kernels/" + NOBODY + b" HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"POST /voila/api/shutdown/" + NOBODY + b"?_xsrf=%ff HTTP/1.1\r\nHost: {host}\r\nContent-Length: 0\r\n\r\n",
    b"GET /api/kernels/" + NOBODY + b"/channels HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE + b"\r\n",
    b"GET /voila/query/" + NOBODY + b" HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE + b"\r\n",
    b"GET /api/kernels/{kernel}/channels HTTP/1.1\r\nHost: {host}\r\n\r\n",
    b"GET /api/kernels/{kernel}/channels HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE + b"\r\n",
    b"GET /api/kernels/{kernel}/channels?session_id=%C3%A9 HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE + b"\r\n",
    b"GET /api/kernels/{kernel}/channels?session_id=%ff HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE + b"\r\n",
    b"GET /api/kernels/{kernel}/channels?session_id="
    + b"a" * 400
    + b" HTTP/1.1\r\nHost: {host}\r\n"
    + UPGRADE
    + b"\r\n",
    b"GET /api/kernels/{kernel}/channels?session_id=a HTTP/1.1\r\nHost: {host}\r\nSec-WebSocket-Extensions: permessage-deflate"
    b"; server_max_window_bits=99, x; =\r\nSec-WebSocket-Protocol: \xff, ,\r\n" + UPGRADE + b"\r\n\x81\x01",
    b"GET /voila/query/{kernel} HTTP/1.1\r\nHost: {host}\r\n" + UPGRADE + b"\r\n\x81\x01a",
    b"GET /voila/query/{kernel} HTTP/1.1\r\nHost: {host}\r\nX-Forwarded-For: 192.0.2.1\r\n" + UPGRADE + b"\r\n",
]


def filled(request: bytes, server: Server, kernel: Kernel) -> bytes:
    """A request to this server and this kernel."""
    host = server.url.removeprefix("http://").encode()
    return request.replace(b"{host}", host).replace(b"{kernel}", kernel.id.encode())


def mutated(request: bytes, chance: random.Random) -> bytes:
    """A request with bytes changed, taken away or added."""
    data = bytearray(request[:2_000])
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(data))
        if chance.random() < 0.5:
            data[at] = chance.randrange(256)
        else:
            data[at : at + chance.randint(0, 3)] = chance.choice([b"\r\n", b":", b"\x00", b"%", b" ", b"\xff", b""])
    return bytes(data) or b" "


def test_odd_requests_leave_no_trace(hostile_server: Server) -> None:
    kernel = Kernel.of(hostile_server.url, LESSON)
    answers = {request[:200]: exchange(hostile_server.url, filled(request, hostile_server, kernel)) for request in ODD}
    assert [request for request, answer in answers.items() if answer.startswith(b"HTTP/1.1 500")] == []
    assert get(hostile_server.url, "/sante").startswith(b"HTTP/1.1 200")


def test_mutated_requests_leave_no_trace(hostile_server: Server) -> None:
    kernel = Kernel.of(hostile_server.url, LESSON)
    chance = random.Random(11)
    for _ in range(500):
        request = mutated(filled(chance.choice(ODD), hostile_server, kernel), chance)
        answer = exchange(hostile_server.url, request)
        assert not answer.startswith(b"HTTP/1.1 500"), request
    assert get(hostile_server.url, "/sante").startswith(b"HTTP/1.1 200")


def test_only_a_kernel_asks_for_the_visitor_it_waits_for(hostile_server: Server) -> None:
    kernel = Kernel.of(hostile_server.url, LESSON)
    line = Line.open(kernel, f"/voila/query/{kernel.id}", protocol="")
    line.send(b"text", 1)
    assert line.close_code() == 1008
    line.hang_up()
