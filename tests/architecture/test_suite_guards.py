"""The guards of tests/conftest.py hold: no network, no keys."""

from __future__ import annotations

import asyncio
import os
import socket

import pytest


@pytest.fixture
def refused(_refused_hosts: list[str]) -> list[str]:
    """The hosts that this test was refused; it clears them, because it meant to."""
    return _refused_hosts


@pytest.mark.parametrize("address", [("192.0.2.1", 80), ("2001:db8::1", 80)])
def test_a_connection_to_another_machine_is_refused(address: tuple[str, int], refused: list[str]) -> None:
    """A socket that would leave the machine raises before a packet is sent."""
    family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
    with socket.socket(family) as sock, pytest.raises(RuntimeError, match="does not use the network"):
        sock.connect(address)
    assert refused == [address[0]]
    refused.clear()


def test_a_name_is_not_looked_up(refused: list[str]) -> None:
    """Name resolution is network too, also through asyncio."""
    with pytest.raises(RuntimeError, match=r"example\.com"):
        socket.getaddrinfo("example.com", 443)
    with pytest.raises(RuntimeError, match=r"example\.org"):
        asyncio.run(asyncio.open_connection("example.org", 443))
    assert refused == ["example.com", "example.org"]
    refused.clear()


def test_a_datagram_is_refused(refused: list[str]) -> None:
    """Datagrams need no connection, so they are refused where they are sent."""
    with (
        socket.socket(type=socket.SOCK_DGRAM) as sock,
        pytest.raises(RuntimeError, match="does not use the network"),
    ):
        sock.sendto(b"", ("192.0.2.1", 9))
    refused.clear()


def test_loopback_is_allowed() -> None:
    """A server of the test itself on 127.0.0.1 can be reached."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        with socket.create_connection(("localhost", port)):
            pass


def test_no_provider_key_is_set() -> None:
    """A developer's keys do not reach the code under test."""
    assert not [name for name in os.environ if name.endswith("_API_KEY")]
