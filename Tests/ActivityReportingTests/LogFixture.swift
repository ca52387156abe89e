#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization

@testable import ActivityReporting

/// A log in a temporary folder, with a clock and a server that the test controls.
final class LogFixture: Sendable {
  /// The response to a batch; `number` counts the uploads from 1.
  typealias Script =
    @Sendable (_ number: Int, _ batch: ActivitySink.Delivery) throws(NetworkError) -> Response

  static let start = WallTime(secondsSince1970: 1_700_000_000)

  let folder: TemporaryFolder
  let clock = TestClock()
  /// How far the wall clock was set forward.
  let jump = Mutex(Duration.zero)
  let uploads = WaitableValue<[ActivitySink.Delivery]>([])
  /// The requests of the uploads.
  let requests = WaitableValue<[Request]>([])
  /// The account that uses the app.
  let account = Mutex("")
  private let script: Script

  init(_ script: @escaping Script = { _, _ throws(NetworkError) in Response(status: .noContent) }) throws {
    folder = try TemporaryFolder(prefix: "activity")
    self.script = script
  }

  var path: String { folder.url.appending(path: "activity.sqlite").path }

  var time: TimeSource {
    TimeSource(clock) { [self] in Self.start.advanced(by: clock.now.offset + jump.withLock { $0 }) }
  }

  /// The names of the events of each upload.
  var names: [[String]] { uploads.value.map { $0.events.map(\.name) } }

  /// The account of each upload, with the names of its events.
  var namesByAccount: [String] {
    zip(requests.value, names).map { "\($0.context.partition): \($1.joined(separator: " "))" }
  }

  /// Lets another account use the app.
  func logIn(_ name: String, _ log: ActivityLog) {
    account.withLock { $0 = name }
    log.accountDidChange()
  }

  /// Opens the log; random numbers are always a half.
  ///
  /// - Parameter wrap: Returns the dispatcher of the log, which passes requests on to the server.
  func open(
    batchCount: Int = 30, batchBytes: Int = 512 << 10, limits: ActivityLimits = ActivityLimits(),
    maximumPages: Int? = nil, at path: String? = nil,
    over wrap: (ScriptedDispatcher) throws -> any Dispatcher = { $0 }
  ) throws -> ActivityLog {
    let dispatcher = ScriptedDispatcher { [uploads, requests, script] request, _ throws(NetworkError) in
      guard let bytes = request.body.bytes,
        let batch = try? JSONDecoder().decode(ActivitySink.Delivery.self, from: Data(bytes)),
        request.options.priority == .low, request.head.headerFields[.contentType] == "application/json"
      else { throw NetworkError(.invalidRequest, "The body is not a batch.") }
      requests.update { $0.append(request) }
      let number = uploads.update { uploads in
        uploads.append(batch)
        return uploads.count
      }
      return try script(number, batch)
    }
    let request = Request(method: .post, authority: "log.example.com", path: "/activity")
    return try ActivityLog(
      path: path ?? self.path,
      uploading: ActivityUpload(request, batchCount: batchCount, batchBytes: batchBytes),
      over: try wrap(dispatcher), limits: limits, durability: .processKill, maximumPages: maximumPages,
      time: time, random: { 0.5 }, account: { [self] in account.withLock { $0 } })
  }

  /// Records events whose names are numbers.
  func record(_ numbers: some Sequence<Int>, in log: ActivityLog) async throws {
    for number in numbers { try await log.record("\(number)") }
  }

  /// Waits until an upload has failed, and its outcome was stored.
  func waitForFailure(_ log: ActivityLog, count: Int = 1) async throws {
    try await waitUntil("an upload has failed") { log.stats.failedUploads >= count }
  }

  /// Waits until a number of batches has been sent.
  func waitForUploads(_ count: Int) async throws { try await uploads.wait { $0.count >= count } }
}
#endif
