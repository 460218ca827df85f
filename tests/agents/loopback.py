"""Starts a command in a network of its own: opens the model's socket there, hands it to the test, becomes the command.

Run as ``python loopback.py UNIX_SOCKET PORT COMMAND…``, inside a new network namespace where the machine allows one. A
listening socket belongs to the namespace that it was opened in, whoever accepts on it afterwards: so the model stays
in the test's process, and the client finds nothing else on any network. The port is free, since the network is new.
"""

from __future__ import annotations

import os
import socket
import struct
import sys

IFF_UP, SIOCGIFFLAGS, SIOCSIFFLAGS = 0x1, 0x8913, 0x8914


def raise_loopback() -> None:
    """Brings the namespace's loopback up; where it is up already this changes nothing."""
    import fcntl  # noqa: PLC0415 - Linux only, as this file is

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        found = fcntl.ioctl(control, SIOCGIFFLAGS, struct.pack("16sh22x", b"lo", 0))
        (flags,) = struct.unpack_from("16xh", found)
        fcntl.ioctl(control, SIOCSIFFLAGS, struct.pack("16sh22x", b"lo", flags | IFF_UP))


def main() -> None:
    """Never returns: the process becomes the command."""
    raise_loopback()
    door, port, *command = sys.argv[1:]
    with socket.create_server(("127.0.0.1", int(port))) as listener, socket.socket(socket.AF_UNIX) as test:
        test.connect(door)
        socket.send_fds(test, [b"model"], [listener.fileno()])
    os.execv(command[0], command)


if __name__ == "__main__":
    main()
