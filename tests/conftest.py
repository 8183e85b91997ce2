"""What every test stands on: hypothesis profiles, the recorded dialogues, no network, no provider keys."""

from __future__ import annotations

import ipaddress
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import settings

from postgresql import schema, server

__all__ = ["schema", "server"]
"""Fixtures that are defined beside this file."""

ROOT = Path(__file__).parents[1]
SHARED_DATA = "TURNSTATE_SHARED_DATA"

settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("dev", deadline=None)
settings.load_profile("ci" if os.environ.get("CI") else "dev")


class NetworkRefused(RuntimeError):
    """A test tried to leave this machine."""

    def __init__(self, host: str) -> None:
        self.host = host
        super().__init__(
            f"The suite does not use the network, and this test tried to reach {host!r}. "
            "Start a server on 127.0.0.1, or pass a model or port that answers in this process."
        )


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of recorded dialogues: TURNSTATE_SHARED_DATA, or shared/data beside the project."""
    folder = Path(os.environ.get(SHARED_DATA) or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        pytest.skip(f"the dialogues of ../shared/data are not here: set {SHARED_DATA} to their folder")
    return folder


@pytest.fixture(params=["memory", "sqlite"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store."""
    return "memory:" if request.param == "memory" else f"sqlite:///{tmp_path / 'chat.db'}"


@pytest.fixture
def database(tmp_path: Path) -> str:
    """The URL of an empty store that outlives its assistant."""
    return f"sqlite:///{tmp_path / 'chat.db'}"


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    """The event loop of tests marked `anyio`."""
    return "asyncio"


@pytest.fixture(scope="session", autouse=True)
def _no_keys() -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]  # pytest calls it
    """No test sees the developer's provider keys or endpoints; a test that needs one sets its own."""
    prefixes = ("TURNSTATE_", "ANTHROPIC_", "OPENAI_", "OLLAMA_", "LOGFIRE_", "OTEL_")
    with pytest.MonkeyPatch.context() as patch:
        for name in list(os.environ):
            if name.endswith(("_API_KEY", "_AUTH_TOKEN")) or (
                name.startswith(prefixes) and name != SHARED_DATA
            ):
                patch.delenv(name)
        yield


@pytest.fixture(scope="session")
def _refused_hosts() -> Iterator[list[str]]:  # pyright: ignore[reportUnusedFunction]  # pytest calls it
    """Hosts that were asked for since the list was last cleared; every way off this machine is closed."""
    refused: list[str] = []
    connect, connect_ex, sendto = socket.socket.connect, socket.socket.connect_ex, socket.socket.sendto
    getaddrinfo = socket.getaddrinfo

    def refuse(host: object) -> None:
        if not _stays_here(host):
            refused.append(str(host))
            raise NetworkRefused(str(host))

    def check(sock: socket.socket, address: object) -> None:
        if sock.family in {socket.AF_INET, socket.AF_INET6}:
            refuse(_host(address))

    def guarded_connect(sock: socket.socket, address: Any) -> None:
        check(sock, address)
        connect(sock, address)

    def guarded_connect_ex(sock: socket.socket, address: Any) -> int:
        check(sock, address)
        return connect_ex(sock, address)

    def guarded_sendto(sock: socket.socket, data: Any, *flags_and_address: Any) -> int:
        check(sock, flags_and_address[-1])
        return sendto(sock, data, *flags_and_address)

    def guarded_getaddrinfo(host: Any, *args: Any, **kwargs: Any) -> object:
        refuse(host)
        return getaddrinfo(host, *args, **kwargs)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(socket.socket, "connect", guarded_connect)
        patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
        patch.setattr(socket.socket, "sendto", guarded_sendto)
        patch.setattr(socket, "getaddrinfo", guarded_getaddrinfo)
        yield refused


@pytest.fixture(autouse=True)
def _no_network(_refused_hosts: list[str]) -> Iterator[None]:  # pyright: ignore[reportUnusedFunction]  # pytest calls it
    """A test that reached for the network fails, also when the code under test caught the error and went on."""
    _refused_hosts.clear()
    yield
    if hosts := sorted(set(_refused_hosts)):
        pytest.fail(f"this test tried to leave the machine: {', '.join(hosts)}. {NetworkRefused.__doc__}")


def _host(address: object) -> object:
    return cast("tuple[object, ...]", address)[0] if isinstance(address, tuple) else address


def _stays_here(host: object) -> bool:
    """Whether `host` is this machine: loopback, the wildcard address of a server, or no host at all."""
    if isinstance(host, bytes):
        host = host.decode(errors="replace")
    if host is None or host in {"", "localhost"}:
        return True
    try:
        address = ipaddress.ip_address(str(host))
    except ValueError:
        return False
    return address.is_loopback or address.is_unspecified


def pytest_make_parametrize_id(val: object, argname: str) -> str | None:
    """Ids without addresses and times: workers that run side by side must collect the same tests."""
    shown = repr(val)
    return argname if " at 0x" in shown or "datetime" in shown else None
