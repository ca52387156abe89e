#if SQLite
import CommandRunning
import Foundation
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization

@testable import OfflineMutations

/// A queue in a temporary folder, with a clock and a server that the test controls.
final class QueueFixture: Sendable {
  static let start = WallTime(secondsSince1970: 1_700_000_000)

  let folder: TemporaryFolder
  let clock = TestClock()
  /// The requests that were sent, and the changes that were reported.
  let sent = WaitableValue<[Request]>([])
  /// The account that uses the app.
  let account = Mutex("")
  private let script: ScriptedDispatcher.Script

  init(
    _ script: @escaping ScriptedDispatcher.Script = { _, _ throws(NetworkError) in Response(status: .ok) }
  ) throws {
    folder = try TemporaryFolder(prefix: "mutations")
    self.script = script
  }

  var path: String { folder.url.appending(path: "mutations.sqlite").path }

  /// The paths of the requests that were sent.
  var paths: [String] { sent.value.map { $0.head.path ?? "" } }

  /// Opens the queue; random numbers are always a half.
  func open(limits: MutationLimits = MutationLimits(), at path: String? = nil) throws -> MutationQueue {
    let dispatcher = ScriptedDispatcher { [sent, script] request, _ throws(NetworkError) in
      let number = sent.update { sent in
        sent.append(request)
        return sent.count
      }
      return try await script(request, number)
    }
    let time = TimeSource(clock) { [clock] in Self.start.advanced(by: clock.now.offset) }
    return try MutationQueue(
      path: path ?? self.path, over: dispatcher, limits: limits, time: time, random: { 0.5 },
      account: { [self] in account.withLock { $0 } })
  }

  /// Lets another account use the app.
  func logIn(_ name: String, _ queue: MutationQueue) {
    account.withLock { $0 = name }
    queue.accountDidChange()
  }

  func request(_ path: String, body: String = "", account: String = "") -> Request {
    var request = Request(method: .put, authority: "api.example.com", path: path, body: .text(body))
    request.context.partition = account
    return request
  }

  /// Waits until a number of requests has been sent.
  func waitForRequests(_ count: Int) async throws { try await sent.wait { $0.count >= count } }
}

extension MutationChange {
  /// The change in short, for comparison.
  var summary: String {
    switch self {
    case .enqueued(let mutation): "enqueued \(mutation.id)"
    case .delivered(let mutation, let response): "delivered \(mutation.id) \(response.status.code)"
    case .delayed(let mutation, let reason): "delayed \(mutation.id) \(reason)"
    case .rejected(let rejected): "rejected \(rejected.id) \(rejected.reason)"
    case .cancelled(let id): "cancelled \(id)"
    case .damaged(let id): "damaged \(id)"
    }
  }
}

extension AsyncStream where Element == MutationChange {
  /// The next changes, in short.
  func summaries(_ count: Int) async -> [String] {
    var summaries: [String] = []
    for await change in self {
      summaries.append(change.summary)
      if summaries.count == count { break }
    }
    return summaries
  }
}
#endif
