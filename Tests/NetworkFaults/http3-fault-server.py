"""An HTTP server that advertises HTTP/3, and whose HTTP/3 has a fault.

http3-fault-server.py PACKAGES FAULT LOG (CERTIFICATE KEY)*3: listens on port 8443 of all addresses, over TCP with HTTP/2 and
TLS, over UDP with HTTP/3, and prints "listening". PACKAGES is a folder with aioquic and h2. The certificates are that of
HTTP/2, that of HTTP/3, and another one. FAULT is a file with a fault, which is read when it is needed, so that it can change:

    none         HTTP/3 as it should be
    silent       no answer to a datagram
    stall        a handshake that ends after the server's first message
    version      an answer that no version of the client is spoken
    certificate  the other certificate, for HTTP/3
    reset        a stateless reset after the first 64 KiB of each response, or in its place if the path is /lost
    goaway       GOAWAY after the first request of the first connection with this fault, whose later ones are refused

Each request is one line of LOG before it is answered: "PROTOCOL METHOD PATH LENGTH", with "refused" instead of the length if
no code of an app has seen it. The content of a response is as long as the number in /bytes/NUMBER, else the protocol's name.
"""

import asyncio
import os
import pathlib
import ssl
import sys

sys.path.insert(0, sys.argv[1])

import h2.config  # noqa: E402
import h2.connection  # noqa: E402
import h2.events  # noqa: E402
from aioquic.asyncio.protocol import QuicConnectionProtocol  # noqa: E402
from aioquic.asyncio.server import QuicServer  # noqa: E402
from aioquic.buffer import Buffer, encode_uint_var  # noqa: E402
from aioquic.h3.connection import FrameType, H3Connection, encode_frame  # noqa: E402
from aioquic.h3.events import DataReceived, HeadersReceived  # noqa: E402
from aioquic.quic.configuration import QuicConfiguration  # noqa: E402
from aioquic.quic.events import ProtocolNegotiated  # noqa: E402
from aioquic.quic.packet import QuicPacketType, encode_quic_version_negotiation, pull_quic_header  # noqa: E402

PORT, BEFORE_RESET = 8443, 65536
REQUEST_REJECTED, UNKNOWN_VERSION = 0x10B, 0x1A2A3A4A
FAULT, LOG = pathlib.Path(sys.argv[2]), open(sys.argv[3], "a", buffering=1)


def fault():
    return FAULT.read_text().strip()


def content(protocol, path):
    return b"x" * int(path[7:]) if path.startswith("/bytes/") else protocol.encode()


def head(body):
    return [(":status", "200"), ("content-length", str(len(body))), ("alt-svc", f'h3=":{PORT}"; ma=3600')]


class OverTCP(asyncio.Protocol):
    """A connection with HTTP/2."""

    def connection_made(self, transport):
        self.transport, self.requests, self.waiting = transport, {}, {}
        self.http = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        self.http.initiate_connection()
        self.transport.write(self.http.data_to_send())

    def data_received(self, data):
        try:
            events = self.http.receive_data(data)
        except h2.exceptions.ProtocolError:
            self.transport.close()
            return
        for event in events:
            if isinstance(event, h2.events.RequestReceived):
                fields = dict(event.headers)
                self.requests[event.stream_id] = [fields[":method"], fields[":path"], 0]
            elif isinstance(event, h2.events.DataReceived):
                self.requests[event.stream_id][2] += len(event.data)
                self.http.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
            elif isinstance(event, h2.events.StreamEnded):
                self.answer(event.stream_id)
            elif isinstance(event, h2.events.StreamReset):
                self.waiting.pop(event.stream_id, None)
        self.send_waiting()
        self.transport.write(self.http.data_to_send())

    def answer(self, stream):
        method, path, length = self.requests.pop(stream)
        print("h2", method, path, length, file=LOG)
        body = content("h2", path)
        self.http.send_headers(stream, head(body))
        self.waiting[stream] = body

    def send_waiting(self):
        """Sends as much of the bodies as flow control lets pass."""
        for stream, body in list(self.waiting.items()):
            while room := min(self.http.local_flow_control_window(stream), self.http.max_outbound_frame_size, len(body)):
                self.http.send_data(stream, body[:room])
                body = body[room:]
            self.waiting[stream] = body
            if not body:
                self.http.end_stream(stream)
                del self.waiting[stream]


class Stalled:
    """A transport that passes only what Initial packets hold: the server's first message, and no certificate."""

    def __init__(self, transport):
        self.transport = transport

    def sendto(self, datagram, address):
        header = pull_quic_header(Buffer(data=datagram), host_cid_length=8)
        if header.packet_type == QuicPacketType.INITIAL:
            # Clients ignore datagrams of Initial packets that are not padded.
            self.transport.sendto(datagram[:header.packet_length].ljust(1200, b"\0"), address)

    def __getattr__(self, name):
        return getattr(self.transport, name)


class OverUDP(QuicConnectionProtocol):
    """A connection with HTTP/3."""

    http = None
    # The one that GOAWAY ends.
    doomed = None

    def connection_made(self, transport):
        self.requests = {}
        super().connection_made(Stalled(transport) if fault() == "stall" else transport)

    def quic_event_received(self, event):
        if isinstance(event, ProtocolNegotiated):
            self.http = H3Connection(self._quic)
        for each in self.http.handle_event(event) if self.http else []:
            if isinstance(each, HeadersReceived):
                fields = {name.decode(): value.decode() for name, value in each.headers}
                # Trailers have no method.
                if ":method" in fields:
                    self.requests[each.stream_id] = [fields[":method"], fields[":path"], 0]
            elif isinstance(each, DataReceived) and each.stream_id in self.requests:
                self.requests[each.stream_id][2] += len(each.data)
            if getattr(each, "stream_ended", False) and each.stream_id in self.requests:
                self.answer(each.stream_id)

    def answer(self, stream):
        method, path, length = self.requests.pop(stream)
        current = fault()
        if current == "goaway" and not OverUDP.doomed:
            OverUDP.doomed = self
            self.ending = stream
        if OverUDP.doomed is self and stream != self.ending:
            print("h3", method, path, "refused", file=LOG)
            self._quic.reset_stream(stream, REQUEST_REJECTED)
            return
        print("h3", method, path, length, file=LOG)
        body = content("h3", path)
        if current == "reset" and path == "/lost":
            self.forget()
            return
        self.http.send_headers(stream, [(name.encode(), value.encode()) for name, value in head(body)])
        if current == "reset" and len(body) > BEFORE_RESET:
            self.http.send_data(stream, body[:BEFORE_RESET], end_stream=False)
            # After the content has been acknowledged, so that the client has received it.
            asyncio.get_running_loop().create_task(self.forget_later())
            return
        self.http.send_data(stream, body, end_stream=True)
        if OverUDP.doomed is self:
            frame = encode_frame(FrameType.GOAWAY, encode_uint_var(stream + 4))
            self._quic.send_stream_data(self.http._local_control_stream_id, frame)

    async def forget_later(self):
        await self.ping()
        self.forget()

    def forget(self):
        """Forgets the connection, as a server does that starts anew, and answers by a stateless reset (RFC 9000, 10.3)."""
        token = self._quic._host_cids[0].stateless_reset_token
        datagram = bytes([0x40 | os.urandom(1)[0] & 0x3F]) + os.urandom(23) + token
        address = self._quic.get_peer_address()
        # Whatever the client sends to this connection now is answered thus.
        self.datagram_received = lambda *_: self._transport.sendto(datagram, address)
        self.transmit = lambda: None
        self._transport.sendto(datagram, address)


class FaultyServer(QuicServer):
    """A UDP socket, whose datagrams reach no connection if the fault comes before it."""

    def __init__(self, good, other):
        super().__init__(configuration=good, create_protocol=OverUDP)
        self.good, self.other = good, other

    def datagram_received(self, data, address):
        current = fault()
        if current == "silent":
            return
        if current == "version":
            header = pull_quic_header(Buffer(data=data), host_cid_length=8)
            if header.packet_type == QuicPacketType.INITIAL:
                self._transport.sendto(
                    encode_quic_version_negotiation(
                        source_cid=header.destination_cid, destination_cid=header.source_cid,
                        supported_versions=[UNKNOWN_VERSION]), address)
            return
        self._configuration = self.other if current == "certificate" else self.good
        super().datagram_received(data, address)


def quic(certificate, key):
    configuration = QuicConfiguration(is_client=False, alpn_protocols=["h3"])
    configuration.load_cert_chain(certificate, key)
    return configuration


async def main(*files):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*files[:2])
    context.set_alpn_protocols(["h2"])
    loop = asyncio.get_running_loop()
    await loop.create_server(OverTCP, "0.0.0.0", PORT, ssl=context)
    good, other = quic(*files[2:4]), quic(*files[4:])
    await loop.create_datagram_endpoint(lambda: FaultyServer(good, other), local_addr=("0.0.0.0", PORT))
    print("listening", flush=True)
    await asyncio.Future()


asyncio.run(main(*sys.argv[4:]))
