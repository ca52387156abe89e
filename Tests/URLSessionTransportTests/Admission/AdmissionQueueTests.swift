import Interception
import Testing

@testable import URLSessionTransport

@Suite struct AdmissionQueueTests {
  private func queue(_ total: Int, _ perOrigin: Int, _ length: Int = 10) -> AdmissionQueue<Int> {
    AdmissionQueue(limits: .init(total: total, perOrigin: perOrigin, queue: length))
  }

  @Test("The total limit and the limit per origin apply")
  func limits() {
    var queue = queue(3, 2)
    #expect(queue.enter(1, origin: "a", priority: .normal, at: .zero) == .runs)
    #expect(queue.enter(2, origin: "a", priority: .normal, at: .zero) == .runs)
    #expect(queue.enter(3, origin: "a", priority: .normal, at: .zero) == .waits)
    #expect(queue.enter(4, origin: "b", priority: .normal, at: .zero) == .runs)
    #expect(queue.enter(5, origin: "b", priority: .normal, at: .zero) == .waits)
    #expect(queue.leave(4) == [5])
    #expect(queue.leave(1) == [3])
    #expect(queue.leave(2) == [])
    #expect(queue.runningCount == 2)
  }

  @Test("A request beyond the queue's limit is refused, and one that stops waiting makes room")
  func fullQueue() {
    var queue = queue(1, 1, 1)
    #expect(queue.enter(1, origin: "a", priority: .normal, at: .zero) == .runs)
    #expect(queue.enter(2, origin: "a", priority: .normal, at: .zero) == .waits)
    #expect(queue.enter(3, origin: "a", priority: .high, at: .zero) == .isRefused)
    #expect(queue.leave(2) == [])
    #expect(queue.enter(4, origin: "a", priority: .normal, at: .zero) == .waits)
  }

  @Test("Requests start by priority, and waiting time compensates for priority")
  func priority() {
    var queue = queue(1, 1)
    _ = queue.enter(1, origin: "a", priority: .normal, at: .zero)
    _ = queue.enter(2, origin: "a", priority: .low, at: .zero)
    _ = queue.enter(3, origin: "a", priority: .high, at: .seconds(1))
    // 128 is five doublings of 4, which are equivalent to five seconds of waiting.
    _ = queue.enter(4, origin: "a", priority: .high, at: .seconds(6))
    #expect(queue.leave(1) == [3])
    #expect(queue.leave(3) == [2])
    #expect(queue.leave(2) == [4])
  }

  @Test("A closed queue admits no request and returns the waiting ones")
  func closing() {
    var queue = queue(1, 1)
    _ = queue.enter(1, origin: "a", priority: .normal, at: .zero)
    _ = queue.enter(2, origin: "a", priority: .normal, at: .zero)
    #expect(queue.close() == [2])
    #expect(queue.enter(3, origin: "b", priority: .normal, at: .zero) == .isClosed)
    #expect(queue.leave(1) == [])
    #expect(queue.runningCount == 0 && queue.waitingCount == 0)
  }
}
