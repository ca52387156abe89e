#if SQLite
import DurableQueues
import Interception
import SwitchyardTesting
import Testing

@testable import OfflineMutations

@Suite struct MutationLinesTests {
  private let now = WallTime(secondsSince1970: 1_700_000_000)

  /// Lines that `#expect` can change.
  private final class Lines {
    var value: MutationLines

    init(inFlight: Int) { value = MutationLines(maximumInFlight: inFlight) }

    func next(_ now: WallTime) -> MutationLines.Step { value.next(now: now) }

    func cancel(_ id: String, _ resource: String) -> Bool { value.cancel(id, resource: resource) }

    func hold(_ id: String, _ resource: String) -> Bool { value.hold(id, resource: resource) }
  }

  private func lines(_ resources: [String], inFlight: Int = 4) -> Lines {
    let lines = Lines(inFlight: inFlight)
    for (index, resource) in resources.enumerated() { lines.value.add(entry(index + 1), resource: resource) }
    return lines
  }

  private func entry(_ sequence: Int) -> MutationLines.Entry {
    MutationLines.Entry(sequence: Int64(sequence), id: "\(sequence)")
  }

  private func fail(_ lines: Lines, _ resource: String, hasResponse: Bool = true) {
    lines.value.fail(resource, hasResponse: hasResponse, retryAfter: nil, now: now, random: 0.5)
  }

  @Test("One mutation of a resource is sent at a time, and those of others beside it, up to the limit")
  func order() {
    let lines = lines(["a", "a", "b", "c", "d"], inFlight: 3)
    #expect(lines.next(now) == .deliver(entry(1), resource: "a"))
    #expect(lines.next(now) == .deliver(entry(3), resource: "b"))
    #expect(lines.next(now) == .deliver(entry(4), resource: "c"))
    #expect(lines.next(now) == .idle)
    lines.value.finish("a")
    #expect(lines.next(now) == .deliver(entry(5), resource: "d"))
    #expect(lines.next(now) == .idle)
    lines.value.finish("b")
    #expect(lines.next(now) == .deliver(entry(2), resource: "a"))
    for resource in ["a", "c", "d"] { lines.value.finish(resource) }
    #expect(lines.value.count == 0 && lines.next(now) == .idle)
  }

  @Test("A temporary response stops the resource's line alone, and its mutation is sent again")
  func temporaryResponse() {
    let lines = lines(["a", "b", "b"])
    _ = lines.next(now)
    fail(lines, "a")
    #expect(lines.next(now) == .deliver(entry(2), resource: "b"))
    lines.value.finish("b")
    #expect(lines.next(now) == .deliver(entry(3), resource: "b"))
    lines.value.finish("b")
    #expect(lines.next(now) == .wait(.milliseconds(500)))
    let later = now.advanced(by: .milliseconds(500))
    #expect(lines.next(later) == .deliver(entry(1), resource: "a"))
  }

  @Test("A failure without a response stops all lines, until the wait is over or the network returns")
  func noResponse() {
    let lines = lines(["a", "b"])
    _ = lines.next(now)
    fail(lines, "a", hasResponse: false)
    #expect(lines.next(now) == .wait(.milliseconds(500)))
    lines.value.setNetwork(available: false)
    #expect(lines.next(now.advanced(by: .seconds(900))) == .idle)
    lines.value.setNetwork(available: true)
    #expect(lines.next(now) == .deliver(entry(2), resource: "b"))
    #expect(lines.next(now) == .deliver(entry(1), resource: "a"))
  }

  @Test("A mutation that isn't being sent can be cancelled, and the next one takes its place")
  func cancelling() {
    let lines = lines(["a", "a", "a", "b"])
    #expect(lines.cancel("4", "b") && !lines.cancel("4", "b"))
    #expect(lines.next(now) == .deliver(entry(1), resource: "a"))
    #expect(!lines.cancel("1", "a"))
    #expect(lines.cancel("2", "a"))
    #expect(lines.next(now) == .idle)
    lines.value.finish("a")
    #expect(lines.next(now) == .deliver(entry(3), resource: "a"))
    fail(lines, "a")
    #expect(lines.cancel("3", "a"))
    #expect(lines.value.count == 0 && lines.next(now) == .idle)
    lines.value.add(entry(9), resource: "b")
    #expect(lines.next(now) == .deliver(entry(9), resource: "b"))
    #expect(lines.next(now) == .idle)
  }

  @Test("A mutation that is held isn't sent, and neither are those behind it until it is released or removed")
  func holding() {
    let lines = lines(["a", "a", "b"])
    #expect(lines.hold("1", "a") && !lines.hold("1", "a"))
    #expect(lines.next(now) == .deliver(entry(3), resource: "b"))
    #expect(!lines.hold("3", "b"))
    #expect(lines.next(now) == .idle)
    lines.value.release("1", resource: "a")
    #expect(lines.next(now) == .deliver(entry(1), resource: "a"))
    #expect(lines.hold("2", "a"))
    lines.value.finish("a")
    #expect(lines.next(now) == .idle)
    lines.value.add(entry(4), resource: "a")
    #expect(lines.cancel("2", "a"))
    #expect(lines.next(now) == .deliver(entry(4), resource: "a"))
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
        lines.value.add(entry(added), resource: resource)
        expected[resource, default: []].append(Int64(added))
      case 1 where !sending.isEmpty:
        let (_, resource) = sending.remove(at: Int.random(in: 0..<sending.count, using: &random))
        fail(lines, resource, hasResponse: Bool.random(using: &random))
      case 2 where !sending.isEmpty:
        lines.value.interrupt(sending.removeLast().1)
      case 3 where !sending.isEmpty:
        let (entry, resource) = sending.remove(at: Int.random(in: 0..<sending.count, using: &random))
        finished[resource, default: []].append(entry.sequence)
        lines.value.finish(resource)
      case 4 where added > 0:
        let id = Int64.random(in: 1...Int64(added), using: &random)
        for (resource, ids) in expected where ids.contains(id) {
          guard lines.cancel("\(id)", resource) else { continue }
          expected[resource]?.removeAll { $0 == id }
        }
      default:
        now = now.advanced(by: .seconds(1))
        if case .deliver(let entry, let resource) = lines.next(now) { sending.append((entry, resource)) }
      }
      #expect(Set(sending.map(\.1)).count == sending.count && sending.count <= 3)
    }
    for (_, resource) in sending { lines.value.interrupt(resource) }
    lines.value.setNetwork(available: true)
    while case .deliver(let entry, let resource) = lines.next(now) {
      finished[resource, default: []].append(entry.sequence)
      lines.value.finish(resource)
    }
    #expect(finished == expected.filter { !$0.value.isEmpty } && lines.value.count == 0)
  }
}
#endif
