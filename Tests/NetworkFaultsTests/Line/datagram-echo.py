"""Sends datagrams back, or sends some to such a server and says what became of them.

datagram-echo.py serve             sends each datagram back, on port 8443 of each address; prints "listening"
datagram-echo.py ADDRESS COUNT LENGTH  sends datagrams, which the kernel may not fragment, one after another, and prints a line
                                   of JSON: the numbers of those that came back, the milliseconds until the first one did,
                                   those until the last one did, and the names of the errors that sending and receiving met
"""

import errno
import json
import select
import socket
import sys
import time

PORT = 8443
# Of linux/in.h; Python has no names for them.
IP_MTU_DISCOVER, IP_PMTUDISC_DO = 10, 2


def serve():
    endpoint = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    endpoint.bind(("0.0.0.0", PORT))
    print("listening", flush=True)
    while True:
        datagram, address = endpoint.recvfrom(65536)
        endpoint.sendto(datagram, address)


def send(address, count, length):
    endpoint = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    endpoint.setsockopt(socket.IPPROTO_IP, IP_MTU_DISCOVER, IP_PMTUDISC_DO)
    endpoint.connect((address, PORT))
    endpoint.setblocking(False)
    start, returned, errors, first, last = time.monotonic(), [], set(), None, None

    def receive(seconds):
        nonlocal first, last
        if not select.select([endpoint], [], [], seconds)[0]:
            return False
        try:
            returned.append(int.from_bytes(endpoint.recv(65536)[:4], "big"))
            last = (time.monotonic() - start) * 1000
            first = first or last
        except OSError as error:
            errors.add(errno.errorcode[error.errno])
        return True

    for number in range(count):
        try:
            endpoint.send(number.to_bytes(4, "big").ljust(length, b"-"))
        except OSError as error:
            errors.add(errno.errorcode[error.errno])
        while receive(0.002):
            pass
    # Until all are there; otherwise those that are missing for longer than any delay of the tests are lost.
    while len(returned) < count and receive(1):
        pass
    print(json.dumps({"returned": returned, "first": first, "last": last, "errors": sorted(errors)}))


if sys.argv[1] == "serve":
    serve()
else:
    send(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
