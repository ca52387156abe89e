"""A network namespace with a server, behind a line that delays, drops and loses packets.

delay-line.py NUMBER CERTIFICATE KEY: joins this namespace, as 198.18.NUMBER.1, to a new one whose addresses 198.18.NUMBER.2
to .9 all belong to a TLS server on port 8443. Prints "ready", and then executes lines of standard input, and prints "done":

    delay HOST SECONDS    delays packets from and to an address by this round trip
    drop HOST             drops them
    lose HOST SHARE       loses a share of them, the same ones in each run

The end of standard input removes everything. Requires root, /dev/net/tun and iproute2.
"""

import fcntl
import heapq
import http.server
import os
import random
import select
import socketserver
import ssl
import struct
import subprocess
import sys
import time

PORT = 8443


def run(words):
    subprocess.run(words.split(), check=True, stdout=subprocess.DEVNULL)


def open_tun(name):
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    # TUNSETIFF with IFF_TUN | IFF_NO_PI.
    fcntl.ioctl(descriptor, 0x400454CA, struct.pack("16sH", name.encode(), 0x0001 | 0x1000))
    return descriptor


class Handler(http.server.BaseHTTPRequestHandler):
    """Responds with the address that was connected to, the name of the handshake, and the Host field."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):
        lines = [self.connection.getsockname()[0], getattr(self.connection, "name", ""), self.headers["Host"], self.path]
        content = "\n".join(lines).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        # Each request connects anew, so that each one measures.
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        pass


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, *_):
        pass


def serve(certificate, key):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)

    def note_name(connection, name, _):
        connection.name = name or ""

    context.sni_callback = note_name
    server = Server(("0.0.0.0", PORT), Handler)
    # The handshake is done by the thread of the connection, not by the one that accepts.
    server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    print("listening", flush=True)
    server.serve_forever()


class Line:
    def __init__(self, near, far):
        self.near, self.far = near, far
        self.delays, self.losses = {}, {}
        self.queue, self.count = [], 0
        self.random = random.Random(17)

    def forward(self, source):
        """Queues the packets that have arrived at one end for the other one."""
        while True:
            try:
                packet = os.read(source, 65536)
            except BlockingIOError:
                return
            if len(packet) < 20 or packet[0] >> 4 != 4:
                continue
            host = packet[19] if source == self.near else packet[15]
            delay = self.delays.get(host, 0)
            if delay is None or self.random.random() < self.losses.get(host, 0):
                continue
            self.count += 1
            other = self.far if source == self.near else self.near
            heapq.heappush(self.queue, (time.monotonic() + delay / 2, self.count, other, packet))

    def deliver(self):
        """Sends the packets that are due; returns the time until the next one."""
        while self.queue:
            wait = self.queue[0][0] - time.monotonic()
            if wait > 0:
                return wait
            _, _, target, packet = heapq.heappop(self.queue)
            try:
                os.write(target, packet)
            except OSError:
                pass
        return None

    def execute(self, words):
        host = int(words[1])
        if words[0] == "delay":
            self.delays[host] = float(words[2])
        elif words[0] == "drop":
            self.delays[host] = None
        elif words[0] == "lose":
            self.losses[host] = float(words[2])


def bench(number, certificate, key):
    space, near, far = f"switchyard-line-{number}", f"swline{number}a", f"swline{number}b"
    net = f"198.18.{number}"
    server = None
    run(f"ip netns add {space}")
    try:
        line = Line(open_tun(near), open_tun(far))
        run(f"ip link set {far} netns {space}")
        run(f"ip addr add {net}.1/24 dev {near}")
        run(f"ip link set {near} up")
        for host in range(2, 10):
            run(f"ip -n {space} addr add {net}.{host}/24 dev {far}")
        run(f"ip -n {space} link set {far} up")
        run(f"ip -n {space} link set lo up")
        server = subprocess.Popen(
            ["ip", "netns", "exec", space, sys.executable, __file__, "serve", certificate, key], stdout=subprocess.PIPE)
        if server.stdout.readline() != b"listening\n":
            sys.exit("The server did not start.")
        print("ready", flush=True)
        commands = b""
        while True:
            readable, _, _ = select.select([line.near, line.far, 0], [], [], line.deliver())
            for source in readable:
                if source != 0:
                    line.forward(source)
                    continue
                text = os.read(0, 4096)
                if not text:
                    return
                commands += text
                while b"\n" in commands:
                    command, commands = commands.split(b"\n", 1)
                    line.execute(command.decode().split())
                    print("done", flush=True)
    finally:
        if server:
            server.kill()
            server.wait()
        subprocess.run(["ip", "netns", "del", space], check=False)


if sys.argv[1] == "serve":
    serve(sys.argv[2], sys.argv[3])
else:
    bench(int(sys.argv[1]), sys.argv[2], sys.argv[3])
