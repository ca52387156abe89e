"""A network namespace with a server, behind a line that delays, drops, refuses and loses packets of TCP and UDP.

delay-line.py COMMAND...: joins this namespace, as 198.18.NUMBER.1, to a new one whose addresses 198.18.NUMBER.2 to .9 all
belong to a server: COMMAND, which prints "listening". NUMBER is one that no other line uses. Prints "ready 198.18.NUMBER",
and then executes lines of standard input, each for packets of a PROTOCOL (tcp, udp or all) from and to an address, and
prints "done":

    delay HOST PROTOCOL SECONDS  delays them by this round trip
    drop HOST PROTOCOL           drops them, as a firewall that says nothing
    refuse HOST PROTOCOL CODE    drops those to the server, and answers by ICMP: destination unreachable, with this code
    lose HOST PROTOCOL SHARE     loses a share of them: the same ones, by their numbers, in each run
    rate HOST PROTOCOL BYTES     lets this many bytes pass per second and direction; drops what would wait half a second
    limit HOST PROTOCOL BYTES    drops longer packets, and answers as a router whose next link has this MTU
    restore HOST                 lets all packets pass at once, as at the start
    count HOST PROTOCOL          prints "done" with the number of packets that were sent to the address, also those it drops

The end of standard input removes everything. Requires root, /dev/net/tun and iproute2.
"""

import fcntl
import heapq
import os
import random
import select
import signal
import struct
import subprocess
import sys
import time

PROTOCOLS = {"tcp": (6,), "udp": (17,), "all": (1, 6, 17)}
UNREACHABLE, FRAGMENTATION_NEEDED = 3, 4


def run(words):
    subprocess.run(words.split(), check=True, stdout=subprocess.DEVNULL)


def open_tun(name):
    descriptor = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
    # TUNSETIFF with IFF_TUN | IFF_NO_PI.
    fcntl.ioctl(descriptor, 0x400454CA, struct.pack("16sH", name.encode(), 0x0001 | 0x1000))
    return descriptor


def checksum(data):
    total = sum(struct.unpack(f"!{len(data) // 2}H", data))
    total = (total & 0xFFFF) + (total >> 16)
    return ~(total + (total >> 16)) & 0xFFFF


def unreachable(packet, code, mtu=0):
    """The ICMP message that a packet could not be delivered, from where it was sent to."""
    quoted = packet[:(packet[0] & 15) * 4 + 8]
    message = struct.pack("!BBHHH", UNREACHABLE, code, 0, 0, mtu) + quoted
    message = message[:2] + struct.pack("!H", checksum(message)) + message[4:]
    head = struct.pack("!BBHHHBBH4s4s", 0x45, 0, 20 + len(message), 0, 0, 64, 1, 0, packet[16:20], packet[12:16])
    return head[:10] + struct.pack("!H", checksum(head)) + head[12:] + message


class Path:
    """What happens to the packets of one protocol from and to one address."""

    def __init__(self):
        self.delay, self.loss, self.rate, self.limit, self.refusal = 0.0, 0.0, None, None, None
        self.is_dropped, self.free = False, {}
        # One for each direction: which packets are lost depends neither on other paths nor on when replies come.
        self.random = {True: random.Random(17), False: random.Random(18)}

    def due(self, packet, is_outbound):
        """When a packet leaves the line; None if it is lost."""
        now = time.monotonic()
        if self.is_dropped or self.random[is_outbound].random() < self.loss:
            return None
        if self.rate:
            start = max(now, self.free.get(is_outbound, 0))
            if start - now > 0.5:
                return None
            now = self.free[is_outbound] = start + len(packet) / self.rate
        return now + self.delay / 2


class Line:
    def __init__(self, near, far):
        self.near, self.far = near, far
        self.paths, self.sent, self.queue, self.count = {}, {}, [], 0

    def path(self, host, protocol):
        return self.paths.setdefault((host, protocol), Path())

    def forward(self, source):
        """Queues the packets that have arrived at one end for the other one."""
        other = self.far if source == self.near else self.near
        while True:
            try:
                packet = os.read(source, 65536)
            except BlockingIOError:
                return
            if len(packet) < 28 or packet[0] >> 4 != 4:
                continue
            key = packet[19] if source == self.near else packet[15], packet[9]
            path = self.path(*key)
            if source == self.near:
                self.sent[key] = self.sent.get(key, 0) + 1
            if path.refusal is not None:
                if source == self.near:
                    self.write(source, unreachable(packet, path.refusal))
                continue
            if path.limit and len(packet) > path.limit:
                self.write(source, unreachable(packet, FRAGMENTATION_NEEDED, path.limit))
                continue
            due = path.due(packet, source == self.near)
            if due is not None:
                self.count += 1
                heapq.heappush(self.queue, (due, self.count, other, packet))

    def deliver(self):
        """Sends the packets that are due; returns the time until the next one."""
        while self.queue:
            wait = self.queue[0][0] - time.monotonic()
            if wait > 0:
                return wait
            _, _, target, packet = heapq.heappop(self.queue)
            self.write(target, packet)
        return None

    def write(self, target, packet):
        try:
            os.write(target, packet)
        except OSError:
            pass

    def execute(self, name, host, protocol="all", value=None):
        """Executes a command, and returns what it prints."""
        if name == "count":
            return f"done {sum(self.sent.get((int(host), number), 0) for number in PROTOCOLS[protocol])}"
        if name == "restore":
            self.paths = {key: path for key, path in self.paths.items() if key[0] != int(host)}
            # Otherwise the kernel remembers for ten minutes how long a packet may be.
            run("ip route flush cache")
            return "done"
        for path in (self.path(int(host), number) for number in PROTOCOLS[protocol]):
            if name == "drop":
                path.is_dropped = True
            elif name == "refuse":
                path.refusal = int(value)
            elif name == "lose":
                path.loss = float(value)
            elif name == "delay":
                path.delay, path.is_dropped = float(value), False
            elif name == "rate":
                path.rate = int(value)
            elif name == "limit":
                path.limit = int(value)
            else:
                raise ValueError(f"unknown command {name}")
        return "done"


def make_namespace():
    """Makes a namespace, whose name claims a number for this line alone, and returns both."""
    first = os.getpid()
    for number in (1 + (first + step) % 250 for step in range(250)):
        space = f"switchyard-line-{number}"
        if subprocess.run(["ip", "netns", "add", space], stderr=subprocess.DEVNULL).returncode == 0:
            return space, number
    sys.exit('No network namespace can be made; "ip netns add" requires root, and "ip netns" lists those that exist.')


def bench(command):
    space, number = make_namespace()
    near, far, net = f"swline{number}a", f"swline{number}b", f"198.18.{number}"
    server = None
    try:
        line = Line(open_tun(near), open_tun(far))
        run(f"ip link set {far} netns {space}")
        run(f"ip addr add {net}.1/24 dev {near}")
        run(f"ip link set {near} up")
        for host in range(2, 10):
            run(f"ip -n {space} addr add {net}.{host}/24 dev {far}")
        run(f"ip -n {space} link set {far} up")
        run(f"ip -n {space} link set lo up")
        server = subprocess.Popen(["ip", "netns", "exec", space, *command], stdout=subprocess.PIPE)
        if server.stdout.readline() != b"listening\n":
            sys.exit("The server did not start.")
        # In one piece, also where Python buffers nothing.
        print(f"ready {net}\n", end="", flush=True)
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
                    words, commands = commands.split(b"\n", 1)
                    print(line.execute(*words.decode().split()), flush=True)
    finally:
        if server:
            server.kill()
            server.wait()
        subprocess.run(["ip", "netns", "del", space], check=False)


# Otherwise the namespace would be left.
signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
bench(sys.argv[1:])
