import EstateServer
import Foundation
import Logging
import Synchronization

/// The sample's real server, in this process: TLS, HTTP/2 and its own certificate.
final class RunningServer: Sendable {
  let state: String
  let port: Int
  private let task: Task<Void, any Error>

  init() async throws {
    let state = FileManager.default.temporaryDirectory.appending(path: "estate-\(UUID())").path
    let directory = try StateDirectory(path: state)
    let api = EstateAPI(
      listings: try .sacramento(), verifier: try SharedKeyVerifier(key: try directory.demoKey()))
    let certificate = try ServerCertificate.prepare(in: directory)
    let server = APIServer(
      api: api, certificate: certificate, port: 0,
      logger: Logger(label: "server") { _ in SwiftLogNoOpLogHandler() })
    let (ports, listening) = AsyncStream<Int>.makeStream()
    let task = Task {
      defer { listening.finish() }
      try await server.run { listening.yield($0) }
    }
    var found: Int?
    for await port in ports {
      found = port
      break
    }
    guard let found else {
      try await task.value
      throw CancellationError()
    }
    (self.state, port, self.task) = (state, found, task)
  }

  deinit { task.cancel() }

  /// The server's URL, as the app is told it.
  var url: String { "https://localhost:\(port)" }

  /// Stops the server, and returns when it is gone.
  func stop() async {
    task.cancel()
    _ = await task.result
    try? FileManager.default.removeItem(atPath: state)
  }
}
