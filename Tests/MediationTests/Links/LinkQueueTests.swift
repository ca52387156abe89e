import MediationFixtures
import SwitchyardTesting
import Testing

@testable import Mediation

@Suite struct LinkQueueTests {
  @Test("Links wait until the app is ready and then open one by one, in order")
  func order() {
    var queue = LinkQueue(LinkQueuePolicy(limit: 3))
    for ticket in 1...3 { same(queue.arrive(ticket), .waits(dropping: nil)) }
    same(queue.ready(), 1)
    // A link that arrives while others wait goes to the end of the queue.
    same(queue.arrive(4), .waits(dropping: nil))
    same(queue.end(9), nil)
    same(queue.end(1), 2)
    same(queue.end(2), 3)
    same(queue.end(3), 4)
    same(queue.arrive(5), .enters)
    same(queue.end(4), nil)
    same(queue.end(5), nil)
    same(queue.arrive(6), .enters)
  }

  @Test(
    "A link beyond the limit displaces the oldest or is dropped itself",
    arguments: [
      (LinkQueuePolicy.Overflow.dropOldest, LinkQueue.Arrival.waits(dropping: 1), [2, 3]),
      (.dropNewest, .dropped, [1, 2]),
    ])
  func overflow(_ overflow: LinkQueuePolicy.Overflow, _ arrival: LinkQueue.Arrival, _ waiting: [Int]) {
    var queue = LinkQueue(LinkQueuePolicy(limit: 2, overflow: overflow))
    _ = queue.arrive(1)
    _ = queue.arrive(2)
    same(queue.arrive(3), arrival)
    #expect(queue.waiting == waiting)
  }

  @Test("At least one link may wait", arguments: [0, -1])
  func minimum(_ limit: Int) {
    var queue = LinkQueue(LinkQueuePolicy(limit: limit))
    same(queue.arrive(1), .waits(dropping: nil))
    same(queue.arrive(2), .waits(dropping: 1))
  }

  @Test("A held queue lets the current link end and starts no other")
  func held() {
    var queue = LinkQueue(LinkQueuePolicy())
    _ = queue.arrive(1)
    _ = queue.arrive(2)
    same(queue.ready(), 1)
    queue.hold()
    same(queue.end(1), nil)
    same(queue.arrive(3), .waits(dropping: nil))
    same(queue.ready(), 2)
    same(queue.ready(), nil)
  }

  @Test("A link that left the queue is not opened")
  func left() {
    var queue = LinkQueue(LinkQueuePolicy())
    _ = queue.arrive(1)
    _ = queue.arrive(2)
    same(queue.leave(1), true)
    same(queue.leave(1), false)
    same(queue.ready(), 2)
    // A link that is being opened no longer waits.
    same(queue.leave(2), false)
  }

  @Test("No link is lost or opened twice, and the order holds", arguments: 0..<50)
  func random(_ seed: Int) {
    var random = SeededRandom(seed: UInt64(seed))
    let limit = 1 + random.below(4)
    var queue = LinkQueue(
      LinkQueuePolicy(limit: limit, overflow: random.below(2) == 0 ? .dropOldest : .dropNewest))
    var arrived = 0
    var opened: [Int] = []
    var gone: Set<Int> = []
    for _ in 0..<200 {
      switch random.below(6) {
      case 0...2:
        arrived += 1
        switch queue.arrive(arrived) {
        case .enters: opened.append(arrived)
        case .waits(let dropped): if let dropped { gone.insert(dropped) }
        case .dropped: gone.insert(arrived)
        }
      case 3: if let next = queue.ready() { opened.append(next) }
      case 4:
        if let current = queue.current, let next = queue.end(current) { opened.append(next) }
      default:
        if random.below(2) == 0 {
          queue.hold()
        } else if arrived > 0 {
          let ticket = 1 + random.below(arrived)
          if queue.leave(ticket) { gone.insert(ticket) }
        }
      }
      #expect(queue.waiting.count <= limit)
    }
    #expect(opened == opened.sorted())
    #expect(Set(opened).count == opened.count)
    #expect(Set(opened).isDisjoint(with: gone))
    #expect(Set(opened).union(gone).union(queue.waiting) == Set(1...max(1, arrived)).filter { $0 <= arrived })
  }
}

/// Compares the result of a mutating call, which `#expect` does not accept.
func same<T: Equatable>(_ answer: T, _ expected: T, at location: SourceLocation = #_sourceLocation) {
  #expect(answer == expected, sourceLocation: location)
}
