"""The local HTTP server: sockets and threads around the scripted provider."""

from __future__ import annotations

import contextlib
import json
import socket
import sys
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import TCPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import urlsplit

from turnstate.testing.anthropic.provider import MAX_BODY, Answer, Delay, Exchange, Provider, Refusal
from turnstate.testing.anthropic.render import error
from turnstate.testing.anthropic.script import Fault, MessagesRequest, Replier, echo


class AnthropicServer:
    """A strict provider on 127.0.0.1 that speaks the Anthropic Messages protocol, for as long as the `with` block lasts.

    It refuses what the real API refuses, in the same words, and answers the rest as scripted. It takes any key and keeps
    none.

    Args:
        reply: the scripted model; a function that must return, because leaving the block waits for it.
        window: input tokens that a request may have; a longer one is refused with "prompt is too long".
        allow_prefill: whether the last message may be the assistant's, to be continued; newer models refuse that.
        delay: what every request for a message waits for, after it was recorded and before it is answered. An event is
            given up when the block is left; a function must return.

    Attributes:
        base_url: what a client is pointed to; set on entering the block.
    """

    base_url: str

    def __init__(
        self,
        reply: Replier = echo,
        *,
        window: int = 200_000,
        allow_prefill: bool = False,
        delay: Delay | None = None,
    ) -> None:
        self._provider = Provider(reply, window=window, allow_prefill=allow_prefill, delay=delay)
        self._running = contextlib.ExitStack()

    @property
    def requests(self) -> list[MessagesRequest]:
        """Accepted requests for a message with their counted tokens, oldest first."""
        return self._provider.requests

    @property
    def counts(self) -> list[MessagesRequest]:
        """Accepted requests for a token count, oldest first."""
        return self._provider.counts

    @property
    def refusals(self) -> list[Refusal]:
        """Refused requests, oldest first; a scripted fault is an answer, not a refusal."""
        return self._provider.refusals

    def wait_for(self, requests: int, timeout: float = 30.0) -> bool:
        """Wait until that many requests for a message were accepted; False after `timeout` seconds."""
        return self._provider.wait_for(requests, timeout)

    def __enter__(self) -> Self:
        listener = _Listener(self._provider)
        self._running.callback(listener.close)
        loop = threading.Thread(
            target=listener.serve_forever, args=(0.01,), name="anthropic-server", daemon=True
        )
        loop.start()
        self._running.callback(loop.join)
        self._running.callback(listener.shutdown)
        self._running.callback(self._provider.close)
        host, port = listener.server_address[:2]
        self.base_url = f"http://{host!s}:{port}"
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._running.close()


class _Listener(ThreadingHTTPServer):
    """Accepts connections, one thread each, and remembers them, so that closing can end those that idle."""

    daemon_threads = False  # so that server_close() joins them
    request_queue_size = 128

    def __init__(self, provider: Provider) -> None:
        self.provider = provider
        self._lock = threading.Lock()  # guards _connections
        self._connections: set[socket.socket] = set()
        super().__init__(("127.0.0.1", 0), _Connection)

    def server_bind(self) -> None:
        """Bind without the reverse look-up of the host's name that HTTPServer does."""
        TCPServer.server_bind(self)

    def get_request(self) -> tuple[socket.socket, Any]:
        connection, address = super().get_request()
        with self._lock:
            self._connections.add(connection)
        return connection, address

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._connections.discard(request)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is not worth a word; anything else is printed as usual."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)

    def close(self) -> None:
        """End every connection, also one that waits for its next request, and join its thread."""
        with self._lock:
            for connection in self._connections:
                with contextlib.suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self.server_close()


class _Connection(BaseHTTPRequestHandler):
    """One connection: reads requests, writes answers, stays open between them."""

    protocol_version = "HTTP/1.1"
    server_version = "turnstate"
    disable_nagle_algorithm = True

    def do_POST(self) -> None:
        """Answer a request of any method; only POST has endpoints."""
        listener = self.server
        assert isinstance(listener, _Listener)
        data = self._body()
        if data is None:
            return
        headers = {name.lower(): value for name, value in self.headers.items()}
        path = urlsplit(self.path).path
        self._send(listener.provider.answer(Exchange(self.command, path, headers, data)))

    do_DELETE = do_GET = do_HEAD = do_OPTIONS = do_PATCH = do_PUT = do_POST  # noqa: N815 - the names that http.server calls

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Refuse what is not HTTP, in the provider's shape, and close."""
        self.close_connection = True
        fault = Fault(code, "invalid_request_error", message or explain or "This is not a request.")
        self._send(Answer(code, json.dumps(error(fault)).encode()))

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the parameter's name in http.server
        """Stay silent: requests are recorded, not logged."""

    def _body(self) -> bytes | None:
        """The request's body, or None when it cannot be read and the connection was given up."""
        length = self.headers.get("content-length", "0")
        if "transfer-encoding" in self.headers or not length.isdecimal():
            self.send_error(400, "A request needs a content-length")
            return None
        if int(length) > MAX_BODY * 2:  # not worth reading; the provider refuses what is a little too large
            self.send_error(413, "Request exceeds the maximum size")
            return None
        data = self.rfile.read(int(length))
        if len(data) < int(length):
            self.close_connection = True  # the client went away
            return None
        return data

    def _send(self, answer: Answer) -> None:
        whole = isinstance(answer.body, bytes)
        self.send_response(answer.status)
        for name, value in answer.headers.items():
            self.send_header(name, value)
        self.send_header("content-type", "application/json" if whole else "text/event-stream; charset=utf-8")
        if isinstance(answer.body, bytes):
            self.send_header("content-length", str(len(answer.body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(answer.body)
        else:
            self.send_header("cache-control", "no-cache")
            self.send_header("transfer-encoding", "chunked")
            self.end_headers()
            self._send_chunks(answer.body)

    def _send_chunks(self, chunks: Iterator[bytes]) -> None:
        for chunk in chunks:
            self.wfile.write(b"%x\r\n%s\r\n" % (len(chunk), chunk))
        self.wfile.write(b"0\r\n\r\n")
