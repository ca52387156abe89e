"""A TLS server that says to which of its addresses, and for which name, a client has connected.

address-server.py CERTIFICATE KEY: listens on port 8443 of all addresses, and prints "listening".
"""

import http.server
import socketserver
import ssl
import sys

PORT = 8443


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


serve(sys.argv[1], sys.argv[2])
