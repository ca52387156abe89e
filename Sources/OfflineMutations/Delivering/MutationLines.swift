#if SQLite
import DurableQueues
import Interception

/// The order of deliveries: a line of mutations for each resource, of which only the first one is sent.
///
/// A value that decides without I/O.
struct MutationLines: Sendable {
  /// A mutation in a line.
  struct Entry: Sendable, Hashable {
    var sequence: Int64
    var id: String
  }

  /// What is to be done next.
  enum Step: Sendable, Hashable {
    /// Nothing until a mutation is added, one is finished, or the network returns.
    case idle
    /// Nothing before the end of a wait.
    case wait(Duration)
    /// Sends the first mutation of a line.
    case deliver(Entry, resource: String)
  }

  private enum Phase: Sendable, Hashable {
    /// In `ready`.
    case ready
    case sending
    /// In `delayed`, until its back-off ends.
    case delayed
    /// The first mutation is held.
    case held
  }

  private struct Line: Sendable {
    var entries: [Entry]
    var phase = Phase.ready
    var backOff = DeliveryBackOff()
    /// The IDs of mutations that must not be sent.
    var held: Set<String> = []
  }

  private let maximumInFlight: Int
  private var lines: [String: Line] = [:]
  /// The resources whose first mutation can be sent, in the order in which they became ready.
  private var ready: ArraySlice<String> = []
  private var delayed: Set<String> = []
  private var inFlight = 0
  /// The wait of all lines after a delivery that got no response.
  private var pause = DeliveryBackOff()
  private(set) var isOnline = true
  /// The number of mutations in all lines.
  private(set) var count = 0

  init(maximumInFlight: Int) { self.maximumInFlight = maximumInFlight }

  /// Adds a mutation to the end of its line.
  mutating func add(_ entry: Entry, resource: String) {
    count += 1
    if lines[resource] == nil {
      lines[resource] = Line(entries: [entry])
      ready.append(resource)
    } else {
      lines[resource]?.entries.append(entry)
    }
  }

  /// Returns the next step; a mutation that it returns counts as being sent.
  mutating func next(now: WallTime) -> Step {
    guard isOnline, inFlight < maximumInFlight else { return .idle }
    if let wait = pause.wait(now: now) { return count == 0 ? .idle : .wait(wait) }
    let wait = resumeDelayed(now: now)
    while let resource = ready.popFirst() {
      // A line whose mutations were all cancelled is gone.
      guard let entry = lines[resource]?.entries.first, lines[resource]?.phase == .ready else { continue }
      if lines[resource]?.held.contains(entry.id) == true {
        lines[resource]?.phase = .held
        continue
      }
      lines[resource]?.phase = .sending
      inFlight += 1
      return .deliver(entry, resource: resource)
    }
    return wait.map { .wait($0) } ?? .idle
  }

  /// Makes the lines ready whose wait is over, and returns the shortest other wait.
  private mutating func resumeDelayed(now: WallTime) -> Duration? {
    var shortest: Duration?
    for resource in delayed {
      if let wait = lines[resource]?.backOff.wait(now: now) {
        shortest = min(shortest ?? wait, wait)
      } else {
        makeReady(resource)
      }
    }
    return shortest
  }

  private mutating func makeReady(_ resource: String) {
    delayed.remove(resource)
    lines[resource]?.phase = .ready
    if lines[resource] != nil { ready.append(resource) }
  }

  /// Removes the mutation that was sent, because it was delivered or set aside.
  mutating func finish(_ resource: String) {
    inFlight -= 1
    count -= 1
    pause.succeed()
    lines[resource]?.backOff.succeed()
    lines[resource]?.entries.removeFirst()
    if lines[resource]?.entries.isEmpty == true { lines[resource] = nil }
    makeReady(resource)
  }

  /// Lets the line wait after a failed delivery, or all lines if there was no response.
  mutating func fail(
    _ resource: String, hasResponse: Bool, retryAfter: Duration?, now: WallTime, random: Double
  ) {
    inFlight -= 1
    if hasResponse {
      pause.succeed()
      lines[resource]?.backOff.fail(retryAfter: retryAfter, now: now, random: random)
      lines[resource]?.phase = .delayed
      delayed.insert(resource)
    } else {
      pause.fail(retryAfter: retryAfter, now: now, random: random)
      makeReady(resource)
    }
  }

  /// Returns the mutation that was being sent to its line, without a wait.
  mutating func interrupt(_ resource: String) {
    inFlight -= 1
    makeReady(resource)
  }

  /// Keeps a mutation from being sent while it is removed from the file; returns false if it is being sent or
  /// held, or isn't in a line.
  mutating func hold(_ id: String, resource: String) -> Bool {
    guard place(of: id, resource: resource) != nil else { return false }
    return lines[resource]?.held.insert(id).inserted ?? false
  }

  /// Lets a mutation that was held be sent, in its place.
  mutating func release(_ id: String, resource: String) {
    lines[resource]?.held.remove(id)
    if lines[resource]?.phase == .held { makeReady(resource) }
  }

  /// Removes a mutation that isn't being sent; returns false if it is, or isn't in a line.
  mutating func cancel(_ id: String, resource: String) -> Bool {
    guard let index = place(of: id, resource: resource) else { return false }
    count -= 1
    lines[resource]?.entries.remove(at: index)
    if lines[resource]?.entries.isEmpty == true {
      lines[resource] = nil
      delayed.remove(resource)
    } else {
      release(id, resource: resource)
    }
    return true
  }

  /// The index of a mutation in its line; nil if it is being sent, or isn't there.
  private func place(of id: String, resource: String) -> Int? {
    guard let line = lines[resource], let index = line.entries.firstIndex(where: { $0.id == id }),
      index > 0 || line.phase != .sending
    else { return nil }
    return index
  }

  /// Records whether there is a network; when it returns, nothing waits any more.
  mutating func setNetwork(available isAvailable: Bool) {
    isOnline = isAvailable
    guard isAvailable else { return }
    pause.succeed()
    for resource in delayed {
      lines[resource]?.backOff.succeed()
      makeReady(resource)
    }
  }
}
#endif
