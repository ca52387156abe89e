#if SQLite
import CommandRunning
import DurableQueues
import Foundation
import GRDB
import HTTPTypes
import Interception
import Observation
import SwitchyardTesting
import Testing

@testable import OfflineMutations

@Suite(.timeLimit(.minutes(5))) @MainActor struct MutationQueueStateTests {
  @Test(
    "J3: A queue's state is observable: what waits, why it is delayed or was refused, and that it arrived")
  func state() async throws {
    let allowed = WaitableValue(1)
    let fixture = try QueueFixture { _, number throws(NetworkError) in
      do { try await allowed.wait { $0 >= number } } catch {
        throw NetworkError(.cancelled(.task), "The queue was closed.")
      }
      switch number {
      case 1: return Response(status: .serviceUnavailable)
      case 2: return Response(status: .unprocessableContent)
      default: return Response(status: .ok)
      }
    }
    var queue = try fixture.open()
    #expect(queue.state == MutationQueue.State(pendingCount: 0, failure: nil))
    let notified = WaitableValue(0)
    withObservationTracking {
      _ = queue.state
    } onChange: {
      notified.update { $0 += 1 }
    }
    for id in ["k1", "k2"] {
      try await queue.enqueue(fixture.request("/a/\(id)"), resource: "a", idempotencyKey: id)
    }
    try await waitUntil("both wait") { queue.state.pendingCount == 2 }
    #expect(notified.value == 1)

    queue.start()
    try await waitUntil("the first one is delayed") { queue.state.failure == "status 503" }
    #expect(queue.state.pendingCount == 2)
    try await fixture.clock.waitForSleepers()
    fixture.clock.advance(by: .seconds(1))
    allowed.update { $0 = 2 }
    try await waitUntil("the first one is refused") {
      queue.state == MutationQueue.State(pendingCount: 1, failure: "status 422")
    }
    await queue.close()

    // After a restart.
    queue = try fixture.open()
    #expect(queue.state == MutationQueue.State(pendingCount: 1, failure: nil))
    allowed.update { $0 = 10 }
    queue.start()
    try await waitUntil("the second one is delivered") { queue.state.pendingCount == 0 }
    #expect(queue.state.failure == nil)
    await queue.close()
  }

  /// How a queue's file is broken.
  nonisolated enum FileFault: CaseIterable {
    /// The path leads to no file: nothing can be written, but the open file can be read.
    case deleted
    /// The table is missing, so that reads fail, too.
    case unreadable
    /// The connection is closed.
    case closed

    func apply(to file: QueueFile) throws {
      switch self {
      case .deleted: try FileManager.default.removeItem(atPath: file.path)
      case .unreadable: try file.access { try $0.execute(sql: "DROP TABLE mutation") }
      case .closed: file.close()
      }
    }
  }

  @Test(
    "The state says that the file can't record a delivery, also if the file can't return the mutation",
    arguments: FileFault.allCases, [false, true])
  func brokenFile(fault: FileFault, isBrokenBySending: Bool) async throws {
    let broken = WaitableValue<QueueFile?>(nil)
    let fixture = try QueueFixture { _, _ throws(NetworkError) in
      if let file = broken.value {
        do { try fault.apply(to: file) } catch {
          throw NetworkError(.invalidRequest, "The file should be broken: \(error)")
        }
      }
      return Response(status: .ok)
    }
    let queue = try fixture.open()
    try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1")
    if isBrokenBySending {
      broken.update { $0 = queue.storage.file }
    } else {
      try fault.apply(to: queue.storage.file)
    }
    queue.start()
    try await waitUntil("the state has the reason") { queue.state.failure != nil }
    #expect(queue.state.failure?.contains(fixture.path) == true)
    #expect(queue.state.pendingCount == 1)
    // Nothing is sent without a record of it.
    #expect(fixture.paths == (isBrokenBySending ? ["/a"] : []))
    await queue.close()
  }

  @Test("A mutation that is cancelled leaves the state, and a reader does not retain the queue")
  func cancellation() async throws {
    weak var released: MutationQueue?
    do {
      let fixture = try QueueFixture()
      let queue = try fixture.open()
      released = queue
      try await queue.enqueue(fixture.request("/a"), resource: "a", idempotencyKey: "k1")
      try await waitUntil("it waits") { queue.state.pendingCount == 1 }
      try await queue.cancel("k1")
      try await waitUntil("nothing waits") {
        withObservationTracking {
          queue.state.pendingCount == 0
        } onChange: {
        }
      }
      await queue.close()
    }
    #expect(released == nil)
  }
}
#endif
