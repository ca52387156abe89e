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
    /// All lines: there was no response.
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
  private var inFlight = 0
  /// The wait of all lines after a delivery that got no response.
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
    guard isOnline, inFlight < maximumInFlight else { return .idle }
    if let wait = pause.wait(now: now) { return count == 0 ? .idle : .wait(wait) }
    let wait = resumeDelayed(now: now)
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
      lines[key]?.phase = .sending
      inFlight += 1
      return .deliver(entry, key)
    }
    return wait.map { .wait($0) } ?? .idle
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

  private mutating func makeReady(_ key: Key) {
    delayed.remove(key)
    lines[key]?.phase = .ready
    if lines[key] != nil { ready.append(key) }
  }

  /// Removes the mutation that was sent, because it was delivered or set aside.
  mutating func finish(_ key: Key) {
    inFlight -= 1
    count -= 1
    pause.succeed()
    lines[key]?.backOff.succeed()
    lines[key]?.refusals = 0
    lines[key]?.entries.removeFirst()
    if lines[key]?.entries.isEmpty == true { lines[key] = nil }
    makeReady(key)
  }

  /// Lets the line wait after a failed delivery, or all lines if there was no response; returns false, and
  /// changes nothing, if the response was refused too often to be asked for again.
  mutating func fail(_ key: Key, _ failure: Failure, now: WallTime, random: Double) -> Bool {
    if case .refusal = failure {
      let refusals = (lines[key]?.refusals ?? 0) + 1
      guard refusals < Self.maximumRefusals else { return false }
      lines[key]?.refusals = refusals
    } else {
      lines[key]?.refusals = 0
    }
    inFlight -= 1
    switch failure {
    case .unreachable:
      pause.fail(retryAfter: nil, now: now, random: random)
      makeReady(key)
    case .temporary(let retryAfter), .refusal(let retryAfter):
      pause.succeed()
      lines[key]?.backOff.fail(retryAfter: retryAfter, now: now, random: random)
      lines[key]?.phase = .delayed
      delayed.insert(key)
    }
    return true
  }

  /// Returns the mutation that was being sent to its line, without a wait.
  mutating func interrupt(_ key: Key) {
    inFlight -= 1
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
    lines[key]?.entries.remove(at: index)
    if lines[key]?.entries.isEmpty == true {
      lines[key] = nil
      delayed.remove(key)
    } else {
      release(id, in: key)
    }
    return true
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
    for key in delayed { lines[key]?.backOff.endOwnWait() }
  }
}
#endif
