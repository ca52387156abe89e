import ActivityReporting
import ArgumentParser
import HTTPTypes
import Interception

@main struct ActivityPeer: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Runs the loads that measure the activity log.", subcommands: [Record.self, Open.self])

  /// Opens a log that never uploads and keeps all events.
  static func open(_ path: String) throws -> ActivityLog {
    try ActivityLog(
      path: path,
      uploading: ActivityUpload(Request(method: .post, authority: "log.example.com", path: "/activity")),
      over: UnusedDispatcher(), limits: ActivityLimits(count: 100_000_000, bytes: 1 << 40)
    ) { "" }
  }
}

/// The dispatcher of a log that is not started.
private struct UnusedDispatcher: Dispatcher {
  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    throw NetworkError(.transport, "A log that isn't started has uploaded a batch.")
  }
}
