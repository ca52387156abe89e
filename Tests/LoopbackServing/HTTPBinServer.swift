import CommandRunning
import Foundation

/// Debian's httpbin on the loopback network, an HTTP/1.1 server in Python on Flask.
///
/// Releasing the server ends it, as does the end of the test process.
public final class HTTPBinServer: Sendable {
  /// Debian's Python, which finds Debian's modules; another one in PATH might not.
  public static let python = "/usr/bin/python3"

  private static let modules = ["httpbin", "requests"].map { name in
    URL(fileURLWithPath: "/usr/lib/python3/dist-packages/\(name)/__init__.py")
  }

  /// Whether httpbin and the client `requests` are installed.
  public static var isInstalled: Bool {
    modules.allSatisfy { FileManager.default.fileExists(atPath: $0.path) }
  }

  /// Whether a suite that needs httpbin should run: without it the suite is skipped, except in CI, where it
  /// fails.
  public static var runsSuites: Bool { isInstalled || ProcessInfo.processInfo.environment["CI"] == "true" }

  /// The port.
  public let port: Int
  /// The address and port as a URL's authority.
  public var authority: String { "127.0.0.1:\(port)" }
  private let folder: TemporaryFolder
  private let process: ServerProcess

  /// Starts a server and waits until it accepts connections.
  public init() async throws {
    folder = try TemporaryFolder(prefix: "httpbin")
    port = try LoopbackSocket.freePort()
    // With threads Flask's server speaks HTTP/1.1, and connections persist.
    process = try ServerProcess(
      program: Self.python,
      arguments: ["-c", "import httpbin; httpbin.app.run(port=\(port), threaded=True)"],
      log: folder.url.appending(path: "messages"), takesErrors: true)
    try await process.waitUntilReady(ports: [port])
  }

  deinit { process.stop() }
}
