import CommandRunning
import Foundation

/// Debian's `websockets` on the loopback network, a WebSocket server in Python.
///
/// It sends every message back, but for the texts "fragments", "ping" and "close 4001", which it obeys.
/// Releasing the server ends it, as does the end of the test process.
public final class PythonWebSocketServer: Sendable {
  private static let module = URL(
    fileURLWithPath: "/usr/lib/python3/dist-packages/websockets/__init__.py")

  private static let program = """
    import asyncio, ssl, sys, websockets

    # From version 14 on the names are others, and a client that offers no subprotocol is refused by default.
    def choose(*arguments):
      offered = next(each for each in arguments if isinstance(each, (list, tuple)))
      return next((each for each in ["chat.v2", "chat.v1"] if each in offered), None)

    async def handle(socket):
      request = getattr(socket, "request", None)
      path, fields = (request.path, request.headers) if request else (socket.path, socket.request_headers)
      extensions = socket.protocol.extensions if request else socket.extensions
      async for message in socket:
        if message == "fragments":
          await socket.send(iter(["fr", "ag", "", "ments"]))
        elif message == "ping":
          await (await socket.ping(b"are you there"))
          await socket.send("pong came")
        elif message == "extensions":
          await socket.send(" ".join(
            f"{each.name} {not each.remote_no_context_takeover} {not each.local_no_context_takeover}"
            for each in extensions))
        elif message == "path":
          await socket.send(path + " " + fields.get("X-Name", ""))
        elif isinstance(message, str) and message.startswith("close "):
          await socket.close(int(message[6:]), "as you wish")
        else:
          await socket.send(message)

    async def main():
      context = None
      if len(sys.argv) > 3:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(sys.argv[3], sys.argv[4])
      async with websockets.serve(
          handle, "127.0.0.1", int(sys.argv[1]), ssl=context, subprotocols=["chat.v2", "chat.v1"], select_subprotocol=choose,
          max_size=None, compression=None if sys.argv[2] == "plain" else "deflate"):
        await asyncio.Future()

    asyncio.run(main())
    """

  /// Whether the module is installed.
  public static var isInstalled: Bool { FileManager.default.fileExists(atPath: module.path) }

  /// Whether a suite that needs it should run: without it the suite is skipped, except in CI, where it fails.
  public static var runsSuites: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] == "true" }

  /// The port.
  public let port: Int
  private let folder: TemporaryFolder
  private let process: ServerProcess

  /// Starts a server and waits until it accepts connections.
  ///
  /// - Parameters:
  ///   - certificates: The set whose good certificate it has; nil for a server without TLS.
  ///   - compresses: Whether it compresses messages where the client offers it.
  public init(_ certificates: CertificateSet? = nil, compresses: Bool = true) async throws {
    folder = try TemporaryFolder(prefix: "websockets")
    port = try LoopbackSocket.freePort()
    let files = certificates.map { [$0.certificate(.good), $0.key(.good)] } ?? []
    process = try ServerProcess(
      program: HTTPBinServer.python,
      arguments: ["-c", Self.program, "\(port)", compresses ? "deflate" : "plain"] + files,
      log: folder.url.appending(path: "messages"), takesErrors: true)
    try await process.waitUntilReady(ports: [port])
  }

  deinit { process.stop() }
}
