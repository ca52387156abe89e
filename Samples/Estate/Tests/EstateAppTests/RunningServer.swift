import EstateServer
import Foundation
import Switchyard
import Synchronization

/// The sample's server in this process, with its own certificate and nginx in front.
final class RunningServer: Sendable {
  let state: String
  let port: UInt16
  private let stopped: AsyncStream<Void>.Continuation
  private let task: Task<Void, any Error>

  /// Starts a server of the sample's homes, or of those in a text of the same form.
  init(listings: String? = nil) async throws {
    let state = FileManager.default.temporaryDirectory.appending(path: "estate-\(UUID())").path
    let directory = try StateDirectory(path: state)
    let key = try directory.demoKey()
    let api = EstateAPI(
      listings: try listings.map { try Listings(csv: Array($0.utf8)) } ?? .sacramento(),
      verifier: try SharedKeyVerifier(key: key),
      messageSignatures: try MessageSignatureService(key: key), addressKey: key,
      guide: try GuideSite(in: directory), deployments: try DeploymentRoutes(in: directory))
    _ = try ServerCertificate.prepare(in: directory)
    let server = APIServer(
      api: api, directory: directory, port: 0,
      logger: Logger(label: "server") { _ in SwiftLogNoOpLogHandler() })
    let (ports, listening) = AsyncStream<UInt16>.makeStream()
    let (stops, stop) = AsyncStream<Void>.makeStream()
    let task = Task {
      defer { listening.finish() }
      try await server.run(until: { for await _ in stops {} }) { listening.yield($0) }
    }
    var found: UInt16?
    for await port in ports {
      found = port
      break
    }
    guard let found else {
      try await task.value
      throw CancellationError()
    }
    (self.state, port, stopped, self.task) = (state, found, stop, task)
  }

  deinit { stopped.finish() }

  /// The server's URL as the app's option takes it.
  var url: String { "https://localhost:\(port)" }

  /// Stops the server, returns when it has ended, and removes its state folder unless an app still needs it.
  func stop(keepingState keepsState: Bool = false) async {
    stopped.finish()
    _ = await task.result
    if !keepsState { try? FileManager.default.removeItem(atPath: state) }
  }
}
