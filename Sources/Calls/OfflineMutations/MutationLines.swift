#if SQLite
import DurableQueues
import Interception

/// The order of deliveries: a line of mutations for each resource of an account, of which only the first one
/// is sent, and only while the account is the app's.
///
/// A value that decides without I/O.
struct MutationLines: Sendable {
  /// The number of responses in a row that this device, or the server with a 409, refuses before the mutation
  /// is set aside; with the growing waits about 10 minutes.
  static let maximumRefusals = 10

  /// What identifies a line.
  struct Key: Sendable, Hashable {
    /// The account; nil if the record is damaged, which is found out for any account.
    var partition: String?
    var resource: String
  }

  /// What a failed delivery makes wait.
  enum Failure: Sendable, Hashable {
    /// All lines: the delivery could not be recorded in the file.
    case unrecorded
    /// The lines whose first mutations go to the same origin: it gave no response.
    case unreachable
    /// The line: the server asks to try again later.
    case temporary(retryAfter: Duration?)
    /// The line, a limited number of times: the response was refused.
    case refusal(retryAfter: Duration?)
  }

  /// A mutation in a line.
  struct Entry: Sendable, Hashable {
    var sequence: Int64
    var id: String
    /// Where it is sent; nil if the record is damaged.
    var origin: RequestOrigin?
  }

  /// An origin, as far as deliveries to it are concerned.
  private struct Destination: Sendable {
    var inFlight = 0
    /// The wait of its mutations after a delivery that got no response.
    var pause = DeliveryBackOff()
    /// The lines that are ready, but wait for the end of the pause or of another delivery.
    var waiting: [Key] = []

    var isUnknown: Bool { inFlight == 0 && waiting.isEmpty && pause.failures == 0 }
  }

  /// What is to be done next.
  enum Step: Sendable, Hashable {
    /// Nothing until a mutation is added, one is finished, or the network returns.
    case idle
    /// Nothing before the end of a wait.
    case wait(Duration)
    /// Sends the first mutation of a line.
    case deliver(Entry, Key)
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
    /// The number of refused responses to the first mutation in a row.
    var refusals = 0
    /// The IDs of mutations that must not be sent.
    var held: Set<String> = []
  }

  private let maximumInFlight: Int
  private var lines: [Key: Line] = [:]
  /// The lines whose first mutation can be sent, in the order in which they became ready.
  private var ready: ArraySlice<Key> = []
  /// The lines that are ready, but of another account.
  private var foreign: [Key] = []
  private var account = ""
  private var delayed: Set<Key> = []
  private var destinations: [RequestOrigin?: Destination] = [:]
  /// The wait of all lines after a delivery that could not be recorded.
  private var pause = DeliveryBackOff()
  private(set) var isOnline = true
  /// The number of mutations in all lines.
  private(set) var count = 0

  init(maximumInFlight: Int) { self.maximumInFlight = maximumInFlight }

  /// Adds a mutation to the end of its line.
  mutating func add(_ entry: Entry, to key: Key) {
    count += 1
    if lines[key] == nil {
      lines[key] = Line(entries: [entry])
      ready.append(key)
    } else {
      lines[key]?.entries.append(entry)
    }
  }

  /// Returns the next step; a mutation that it returns counts as being sent.
  ///
  /// - Parameter account: The account that uses the app; mutations of others keep their places.
  mutating func next(now: WallTime, account: String) -> Step {
    if account != self.account {
      self.account = account
      ready += foreign
      foreign = []
    }
    guard isOnline else { return .idle }
    if let wait = pause.wait(now: now) { return count == 0 ? .idle : .wait(wait) }
    let delay = resumeDelayed(now: now)
    resumePaused(now: now)
    while let key = ready.popFirst() {
      // A line whose mutations were all cancelled is gone.
      guard let entry = lines[key]?.entries.first, lines[key]?.phase == .ready else { continue }
      guard key.partition == nil || key.partition == account else {
        foreign.append(key)
        continue
      }
      if lines[key]?.held.contains(entry.id) == true {
        lines[key]?.phase = .held
        continue
      }
      guard canSend(to: entry.origin, now: now) else {
        destinations[entry.origin, default: Destination()].waiting.append(key)
        continue
      }
      lines[key]?.phase = .sending
      destinations[entry.origin, default: Destination()].inFlight += 1
      return .deliver(entry, key)
    }
    let waits = destinations.values.compactMap { $0.waiting.isEmpty ? nil : $0.pause.wait(now: now) }
    return (waits + (delay.map { [$0] } ?? [])).min().map { .wait($0) } ?? .idle
  }

  /// Makes the lines ready whose wait is over, and returns the shortest other wait.
  private mutating func resumeDelayed(now: WallTime) -> Duration? {
    var shortest: Duration?
    for key in delayed {
      if let wait = lines[key]?.backOff.wait(now: now) {
        shortest = min(shortest ?? wait, wait)
      } else {
        makeReady(key)
      }
    }
    return shortest
  }

  /// Makes the lines ready that wait for an origin to which mutations can be sent again.
  private mutating func resumePaused(now: WallTime) {
    for (origin, destination) in destinations where !destination.waiting.isEmpty {
      if canSend(to: origin, now: now) { resumeLines(to: origin) }
    }
  }

  private func canSend(to origin: RequestOrigin?, now: WallTime) -> Bool {
    guard let destination = destinations[origin] else { return true }
    return destination.inFlight < maximumInFlight && destination.pause.wait(now: now) == nil
  }

  private mutating func resumeLines(to origin: RequestOrigin?) {
    ready += destinations[origin]?.waiting ?? []
    destinations[origin]?.waiting = []
  }

  /// Records the end of the delivery of a line's first mutation.
  ///
  /// - Parameter hasResponse: Whether the origin gave a response, which ends its pause.
  private mutating func endDelivery(_ key: Key, hasResponse: Bool) {
    let origin = lines[key]?.entries.first?.origin
    destinations[origin]?.inFlight -= 1
    if hasResponse {
      destinations[origin]?.pause.succeed()
      resumeLines(to: origin)
    }
    if destinations[origin]?.isUnknown == true { destinations[origin] = nil }
  }

  private mutating func makeReady(_ key: Key) {
    delayed.remove(key)
    lines[key]?.phase = .ready
    if lines[key] != nil { ready.append(key) }
  }

  /// Removes the mutation that was sent, because it was delivered or set aside.
  ///
  /// - Parameter hasResponse: Whether its origin gave a response.
  mutating func finish(_ key: Key, hasResponse: Bool = true) {
    endDelivery(key, hasResponse: hasResponse)
    count -= 1
    pause.succeed()
    lines[key]?.backOff.succeed()
    lines[key]?.refusals = 0
    lines[key]?.entries.removeFirst()
    if lines[key]?.entries.isEmpty == true { lines[key] = nil }
    makeReady(key)
  }

  /// Lets the line wait after a failed delivery, or those with the same origin if it gave no response;
  /// returns false, and changes nothing, if the response was refused too often to be asked for again.
  mutating func fail(_ key: Key, _ failure: Failure, now: WallTime, random: Double) -> Bool {
    if case .refusal = failure {
      let refusals = (lines[key]?.refusals ?? 0) + 1
      guard refusals < Self.maximumRefusals else { return false }
      lines[key]?.refusals = refusals
    } else {
      lines[key]?.refusals = 0
    }
    let origin = lines[key]?.entries.first?.origin
    switch failure {
    case .unrecorded:
      pause.fail(retryAfter: nil, now: now, random: random)
      endDelivery(key, hasResponse: false)
      makeReady(key)
    case .unreachable:
      pause.succeed()
      // Deliveries to the origin that began together are one failure.
      if destinations[origin]?.pause.wait(now: now) == nil {
        destinations[origin]?.pause.fail(retryAfter: nil, now: now, random: random)
      }
      endDelivery(key, hasResponse: false)
      makeReady(key)
    case .temporary(let retryAfter), .refusal(let retryAfter):
      pause.succeed()
      endDelivery(key, hasResponse: true)
      lines[key]?.backOff.fail(retryAfter: retryAfter, now: now, random: random)
      lines[key]?.phase = .delayed
      delayed.insert(key)
    }
    return true
  }

  /// Returns the mutation that was being sent to its line, without a wait.
  mutating func interrupt(_ key: Key) {
    endDelivery(key, hasResponse: false)
    makeReady(key)
  }

  /// Keeps a mutation from being sent while it is removed from the file; returns false if it is being sent or
  /// held, or isn't in a line.
  mutating func hold(_ id: String, in key: Key) -> Bool {
    guard place(of: id, in: key) != nil else { return false }
    return lines[key]?.held.insert(id).inserted ?? false
  }

  /// Lets a mutation that was held be sent, in its place.
  mutating func release(_ id: String, in key: Key) {
    lines[key]?.held.remove(id)
    if lines[key]?.phase == .held { makeReady(key) }
  }

  /// Removes a mutation that isn't being sent; returns false if it is, or isn't in a line.
  mutating func cancel(_ id: String, in key: Key) -> Bool {
    guard let index = place(of: id, in: key) else { return false }
    count -= 1
    let removed = lines[key]?.entries.remove(at: index)
    if lines[key]?.entries.isEmpty == true {
      lines[key] = nil
      delayed.remove(key)
    } else {
      if index == 0 { replace(removed, of: key) }
      release(id, in: key)
    }
    // Nothing waits for an origin any longer.
    if count == 0 { destinations = [:] }
    return true
  }

  /// Lets a line begin anew whose first mutation was removed.
  ///
  /// Its refusals, the wait after them, and its origin don't concern the next one. What a server asked the
  /// resource to wait for does.
  private mutating func replace(_ first: Entry?, of key: Key) {
    if let refusals = lines[key]?.refusals, refusals > 0 {
      lines[key]?.refusals = 0
      lines[key]?.backOff.succeed()
      if lines[key]?.phase == .delayed { makeReady(key) }
    }
    // It may be among those that wait for the origin of the one before.
    let isElsewhere = lines[key]?.entries.first?.origin != first?.origin
    if isElsewhere, lines[key]?.phase == .ready { ready.append(key) }
  }

  /// The index of a mutation in its line; nil if it is being sent, or isn't there.
  private func place(of id: String, in key: Key) -> Int? {
    guard let line = lines[key], let index = line.entries.firstIndex(where: { $0.id == id }),
      index > 0 || line.phase != .sending
    else { return nil }
    return index
  }

  /// Records whether there is a network; when it returns, only what a server asked for is waited for.
  mutating func setNetwork(available isAvailable: Bool) {
    isOnline = isAvailable
    guard isAvailable else { return }
    pause.endOwnWait()
    for origin in destinations.keys { destinations[origin]?.pause.endOwnWait() }
    for key in delayed { lines[key]?.backOff.endOwnWait() }
  }
}
#endif
