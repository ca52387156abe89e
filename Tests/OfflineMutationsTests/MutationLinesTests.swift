#if SQLite
import DurableQueues
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import OfflineMutations

/// The line of a resource; a colon separates it from its account.
private func line(_ resource: String) -> MutationLines.Key {
  let parts = resource.split(separator: ":").map { String($0) }
  return MutationLines.Key(partition: parts.count > 1 ? parts[0] : "", resource: parts[parts.count - 1])
}

@Suite struct MutationLinesTests {
  private let now = WallTime(secondsSince1970: 1_700_000_000)

  /// Lines that `#expect` can change.
  private final class Lines {
    var value: MutationLines

    init(inFlight: Int) { value = MutationLines(maximumInFlight: inFlight) }

    func next(_ now: WallTime, account: String = "") -> MutationLines.Step {
      value.next(now: now, account: account)
    }

    func add(_ entry: MutationLines.Entry, resource: String) { value.add(entry, to: line(resource)) }

    func finish(_ resource: String) { value.finish(line(resource)) }

    func interrupt(_ resource: String) { value.interrupt(line(resource)) }

    func release(_ id: String, resource: String) { value.release(id, in: line(resource)) }

    func cancel(_ id: String, _ resource: String) -> Bool { value.cancel(id, in: line(resource)) }

    func hold(_ id: String, _ resource: String) -> Bool { value.hold(id, in: line(resource)) }
  }

  private func deliver(_ number: Int, _ resource: String) -> MutationLines.Step {
    .deliver(entry(number), line(resource))
  }

  private func lines(_ resources: [String], inFlight: Int = 4) -> Lines {
    let lines = Lines(inFlight: inFlight)
    for (index, resource) in resources.enumerated() { lines.add(entry(index + 1), resource: resource) }
    return lines
  }

  private func entry(_ sequence: Int) -> MutationLines.Entry {
    MutationLines.Entry(sequence: Int64(sequence), id: "\(sequence)")
  }

  private func fail(
    _ lines: Lines, _ resource: String, _ failure: MutationLines.Failure = .temporary(retryAfter: nil)
  ) {
    let isKept = lines.value.fail(line(resource), failure, now: now, random: 0.5)
    #expect(isKept)
  }

  @Test("One mutation of a resource is sent at a time, and those of others beside it, up to the limit")
  func order() {
    let lines = lines(["a", "a", "b", "c", "d"], inFlight: 3)
    #expect(lines.next(now) == deliver(1, "a"))
    #expect(lines.next(now) == deliver(3, "b"))
    #expect(lines.next(now) == deliver(4, "c"))
    #expect(lines.next(now) == .idle)
    lines.finish("a")
    #expect(lines.next(now) == deliver(5, "d"))
    #expect(lines.next(now) == .idle)
    lines.finish("b")
    #expect(lines.next(now) == deliver(2, "a"))
    for resource in ["a", "c", "d"] { lines.finish(resource) }
    #expect(lines.value.count == 0 && lines.next(now) == .idle)
  }

  @Test("A temporary response stops the resource's line alone, and its mutation is sent again")
  func temporaryResponse() {
    let lines = lines(["a", "b", "b"])
    _ = lines.next(now)
    fail(lines, "a")
    #expect(lines.next(now) == deliver(2, "b"))
    lines.finish("b")
    #expect(lines.next(now) == deliver(3, "b"))
    lines.finish("b")
    #expect(lines.next(now) == .wait(.milliseconds(500)))
    let later = now.advanced(by: .milliseconds(500))
    #expect(lines.next(later) == deliver(1, "a"))
  }

  @Test(
    "A failure without a response stops all lines to its origin, until a wait is over or the network returns")
  func noResponse() {
    let lines = lines(["a", "b"])
    _ = lines.next(now)
    fail(lines, "a", .unreachable)
    #expect(lines.next(now) == .wait(.milliseconds(500)))
    lines.value.setNetwork(available: false)
    #expect(lines.next(now.advanced(by: .seconds(900))) == .idle)
    lines.value.setNetwork(available: true)
    #expect(lines.next(now) == deliver(2, "b"))
    #expect(lines.next(now) == deliver(1, "a"))
  }

  private func entry(_ sequence: Int, to host: String) -> MutationLines.Entry {
    let head = HTTPRequest(method: .put, scheme: "https", authority: host, path: "/")
    return MutationLines.Entry(sequence: Int64(sequence), id: "\(sequence)", origin: RequestOrigin(head))
  }

  @Test(
    "An origin that gives no response holds up no mutations for others, and is one failure for all of its own"
  )
  func deadOrigin() {
    let lines = Lines(inFlight: 2)
    for number in 1...4 { lines.add(entry(number, to: "dead.example"), resource: "d\(number)") }
    lines.add(entry(5, to: "live.example"), resource: "l5")
    lines.add(entry(6, to: "LIVE.example:443"), resource: "l6")
    lines.add(entry(7, to: "live.example"), resource: "l7")
    var sent: [String] = []
    func send() -> MutationLines.Step {
      var step = lines.next(now)
      while case .deliver(let entry, _) = step {
        sent.append(entry.id)
        step = lines.next(now)
      }
      return step
    }
    // Deliveries to the dead origin that hang don't hold up the others either.
    #expect(send() == .idle)
    #expect(sent == ["1", "2", "5", "6"])
    for resource in ["d1", "d2"] { fail(lines, resource, .unreachable) }
    #expect(send() == .wait(.milliseconds(500)), "Both failures together are the first one.")
    for resource in ["l5", "l6"] { lines.finish(resource) }
    _ = send()
    #expect(sent == ["1", "2", "5", "6", "7"])
    lines.finish("l7")
    #expect(lines.next(now) == .wait(.milliseconds(500)))
    #expect(
      lines.next(now.advanced(by: .milliseconds(500))) == .deliver(entry(3, to: "dead.example"), line("d3")))
  }

  @Test("A failure of the file stops all lines")
  func unrecorded() {
    let lines = Lines(inFlight: 2)
    lines.add(entry(1, to: "a.example"), resource: "a")
    lines.add(entry(2, to: "b.example"), resource: "b")
    _ = lines.next(now)
    fail(lines, "a", .unrecorded)
    #expect(lines.next(now) == .wait(.milliseconds(500)))
  }

  @Test("After a mutation is cancelled, the next one of its resource has neither its refusals nor its origin")
  func cancelledAfterRefusals() {
    let lines = lines(["a", "a"])
    var now = now
    for _ in 1..<MutationLines.maximumRefusals {
      now = now.advanced(by: .seconds(1_000))
      #expect(lines.next(now) == deliver(1, "a"))
      let isKept = lines.value.fail(line("a"), .refusal(retryAfter: .seconds(9)), now: now, random: 0.5)
      #expect(isKept)
    }
    #expect(lines.cancel("1", "a"))
    #expect(lines.next(now) == deliver(2, "a"), "The wait was for the answer to the first one.")
    let isKept = lines.value.fail(line("a"), .refusal(retryAfter: nil), now: now, random: 0.5)
    #expect(isKept)

    let others = Lines(inFlight: 1)
    others.add(entry(1, to: "dead.example"), resource: "a")
    others.add(entry(2, to: "live.example"), resource: "a")
    _ = others.next(now)
    fail(others, "a", .unreachable)
    #expect(others.next(self.now) == .wait(.milliseconds(500)))
    #expect(others.cancel("1", "a"))
    #expect(others.next(self.now) == .deliver(entry(2, to: "live.example"), line("a")))
  }

  @Test("A wait that a server has asked for stays with the resource after its mutation is cancelled")
  func cancelledAfterRetryAfter() {
    let lines = lines(["a", "a"])
    _ = lines.next(now)
    fail(lines, "a", .temporary(retryAfter: .seconds(60)))
    #expect(lines.cancel("1", "a"))
    #expect(lines.next(now) == .wait(.seconds(60)))
  }

  @Test("A mutation that isn't being sent can be cancelled, and the next one takes its place")
  func cancelling() {
    let lines = lines(["a", "a", "a", "b"])
    #expect(lines.cancel("4", "b") && !lines.cancel("4", "b"))
    #expect(lines.next(now) == deliver(1, "a"))
    #expect(!lines.cancel("1", "a"))
    #expect(lines.cancel("2", "a"))
    #expect(lines.next(now) == .idle)
    lines.finish("a")
    #expect(lines.next(now) == deliver(3, "a"))
    fail(lines, "a")
    #expect(lines.cancel("3", "a"))
    #expect(lines.value.count == 0 && lines.next(now) == .idle)
    lines.add(entry(9), resource: "b")
    #expect(lines.next(now) == deliver(9, "b"))
    #expect(lines.next(now) == .idle)
  }

  @Test("A mutation that is held isn't sent, and neither are those behind it until it is released or removed")
  func holding() {
    let lines = lines(["a", "a", "b"])
    #expect(lines.hold("1", "a") && !lines.hold("1", "a"))
    #expect(lines.next(now) == deliver(3, "b"))
    #expect(!lines.hold("3", "b"))
    #expect(lines.next(now) == .idle)
    lines.release("1", resource: "a")
    #expect(lines.next(now) == deliver(1, "a"))
    #expect(lines.hold("2", "a"))
    lines.finish("a")
    #expect(lines.next(now) == .idle)
    lines.add(entry(4), resource: "a")
    #expect(lines.cancel("2", "a"))
    #expect(lines.next(now) == deliver(4, "a"))
  }

  @Test("Mutations of another account keep their places, and don't block those of the current one")
  func accounts() {
    let lines = lines(["ann:a", "bob:a", "ann:a", "ann:b"])
    #expect(lines.next(now) == .idle)
    #expect(lines.next(now, account: "bob") == deliver(2, "bob:a"))
    lines.finish("bob:a")
    #expect(lines.next(now, account: "bob") == .idle)
    #expect(lines.next(now, account: "ann") == deliver(1, "ann:a"))
    #expect(lines.next(now, account: "ann") == deliver(4, "ann:b"))
    lines.interrupt("ann:a")
    lines.finish("ann:b")
    #expect(lines.next(now, account: "bob") == .idle)
    #expect(lines.next(now, account: "ann") == deliver(1, "ann:a"))
    lines.finish("ann:a")
    #expect(lines.next(now, account: "ann") == deliver(3, "ann:a"))
  }

  @Test("The return of the network ends waits, but not the one that a server has asked for")
  func retryAfter() {
    let lines = lines(["a", "b"])
    for _ in 0..<2 { _ = lines.next(now) }
    fail(lines, "a", .temporary(retryAfter: .seconds(60)))
    fail(lines, "b")
    #expect(lines.next(now) == .wait(.milliseconds(500)))
    lines.value.setNetwork(available: true)
    #expect(lines.next(now) == deliver(2, "b"))
    #expect(lines.next(now) == .wait(.seconds(60)))
    #expect(lines.next(now.advanced(by: .seconds(60))) == deliver(1, "a"))
  }

  @Test("A response that is refused is asked for again a limited number of times in a row")
  func refusals() {
    let lines = lines(["a"])
    func attempt(_ number: Int, _ failure: MutationLines.Failure) -> Bool {
      let later = now.advanced(by: .seconds(1_000 * Int64(number)))
      #expect(lines.next(later) == deliver(1, "a"))
      return lines.value.fail(line("a"), failure, now: later, random: 0.5)
    }
    for number in 1...9 { #expect(attempt(number, .refusal(retryAfter: nil))) }
    #expect(attempt(10, .temporary(retryAfter: nil)))
    for number in 11...19 { #expect(attempt(number, .refusal(retryAfter: nil))) }
    #expect(!attempt(20, .refusal(retryAfter: nil)))
    lines.finish("a")
    #expect(lines.value.count == 0)
  }

  @Test(
    "Whatever happens, each resource's mutations are finished in order", arguments: 0..<50 as Range<UInt64>)
  func randomRuns(_ seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let lines = Lines(inFlight: 3)
    var now = now
    var (added, sending) = (0, [] as [(MutationLines.Entry, String)])
    var finished: [String: [Int64]] = [:]
    var expected: [String: [Int64]] = [:]
    for _ in 0..<2_000 {
      switch Int.random(in: 0..<6, using: &random) {
      case 0 where added < 200:
        added += 1
        let resource = "\(Int.random(in: 0..<5, using: &random))"
        lines.add(entry(added), resource: resource)
        expected[resource, default: []].append(Int64(added))
      case 1 where !sending.isEmpty:
        let (_, resource) = sending.remove(at: Int.random(in: 0..<sending.count, using: &random))
        fail(lines, resource, Bool.random(using: &random) ? .temporary(retryAfter: nil) : .unreachable)
      case 2 where !sending.isEmpty:
        lines.interrupt(sending.removeLast().1)
      case 3 where !sending.isEmpty:
        let (entry, resource) = sending.remove(at: Int.random(in: 0..<sending.count, using: &random))
        finished[resource, default: []].append(entry.sequence)
        lines.finish(resource)
      case 4 where added > 0:
        let id = Int64.random(in: 1...Int64(added), using: &random)
        for (resource, ids) in expected where ids.contains(id) {
          guard lines.cancel("\(id)", resource) else { continue }
          expected[resource]?.removeAll { $0 == id }
        }
      default:
        now = now.advanced(by: .seconds(1))
        if case .deliver(let entry, let key) = lines.next(now) { sending.append((entry, key.resource)) }
      }
      #expect(Set(sending.map(\.1)).count == sending.count && sending.count <= 3)
    }
    for (_, resource) in sending { lines.interrupt(resource) }
    lines.value.setNetwork(available: true)
    while case .deliver(let entry, let key) = lines.next(now) {
      finished[key.resource, default: []].append(entry.sequence)
      lines.finish(key.resource)
    }
    #expect(finished == expected.filter { !$0.value.isEmpty } && lines.value.count == 0)
  }
}
#endif
