import HTTPTypes
import Interception
import RequestSigning
import SwitchyardTesting

/// What every history must keep.
package enum Invariant: Int, Sendable, CaseIterable, CustomStringConvertible {
  case endsOnce = 1
  case identity, origins, effects, attempts, freshness, delivery, signatures, nothingLeft, secrets

  /// The invariant in words.
  package var description: String {
    switch self {
    case .endsOnce:
      "Each call ends exactly once, by its deadline, with a response, a typed error, or its own cancellation."
    case .identity:
      "A response made for one identity is never delivered to, or stored for, another."
    case .origins:
      "A credential, signature, sealed key or cookie arrives only at the origins it is for, and of its own "
        + "identity; baggage only at those that are listed."
    case .effects:
      "A request that is neither idempotent nor carries a key is processed at most once; one with a key has one "
        + "effect; one that says it was not processed has none."
    case .attempts:
      "Attempts stay within the limit and the budget, an open circuit lets one trial through, and a server's "
        + "Retry-After is kept."
    case .freshness:
      "A stored response is used only when RFC 9111 allows it, and never instead of what a successful write made."
    case .delivery:
      "Whatever a queue has acknowledged arrives, in order for each resource, as its account, or is reported."
    case .signatures:
      "Every request that arrives has a valid, unused signature, and every replay is refused by every verifier, "
        + "also after a restart; of deployment documents the newest authentic one is applied whole, and nothing "
        + "of any other."
    case .nothingLeft:
      "After the last call nothing is left: no task, flight, timer or file; memory is bounded throughout."
    case .secrets:
      "No secret occurs in logs, traces, HAR, metrics' labels or error texts."
    }
  }
}

/// A broken invariant.
package struct Violation: Sendable, CustomStringConvertible {
  package let invariant: Invariant
  package let text: String

  package var description: String { "I\(invariant.rawValue): \(invariant)\n  \(text)" }
}

/// Checks the invariants while a history runs, and at its end.
package final class Checks: @unchecked Sendable {
  // Accessed on the scheduler's thread only.

  final class Record {
    let id: Int
    let call: Call
    let start: Moment
    let life: ObjectIdentifier
    var partition: String?
    var isCancelled = false
    var isAbandoned = false
    var endings = 0
    var sent: [String: [Duration]] = [:]
    var notBefore: [String: Duration] = [:]

    init(_ id: Int, _ call: Call, start: Moment, life: ObjectIdentifier) {
      (self.id, self.call, self.start, self.life) = (id, call, start, life)
    }
  }

  unowned let world: World
  package internal(set) var violations: [Violation] = []
  /// How often each outcome was met.
  package private(set) var outcomes: [String: Int] = [:]
  private(set) var records: [Int: Record] = [:]
  /// The requests whose signatures were accepted.
  private var arrivals: [SimulatedArrival] = []
  var freshness: FreshnessOracle
  /// What queues have acknowledged, in order.
  var changes: [Acknowledged] = []
  var events: [String: (begin: Moment, end: Moment)] = [:]
  private var lastPosition = 0
  var rejected: Set<String> = []
  var waiting: Set<String> = []
  /// How often each call has added an item to a list.
  var additions: [Int: Int] = [:]
  var attempts: [AttemptScope: AttemptOracle] = [:]
  /// The tag that the app has seen last of each resource.
  var tags: [String: String] = [:]

  init(_ world: World) {
    self.world = world
    freshness = FreshnessOracle()
  }

  func fail(_ invariant: Invariant, _ text: String) {
    world.story.tell("VIOLATION of I\(invariant.rawValue): \(text)")
    violations.append(Violation(invariant: invariant, text: text))
  }

  func count(_ outcome: String) { outcomes[outcome, default: 0] += 1 }

  /// Returns the moment of something that happens now, later than all moments before it.
  func moment() -> Moment {
    lastPosition += 1
    return Moment(time: world.scheduler.now, position: lastPosition)
  }

  // MARK: Requests

  /// A caller is about to send a call.
  func begin(_ id: Int, _ call: Call, _ life: Life) {
    records[id] = Record(id, call, start: moment(), life: ObjectIdentifier(life))
  }

  func cancel(_ id: Int) { records[id]?.isCancelled = true }
  func abandonAll() { for record in records.values where record.endings == 0 { record.isAbandoned = true } }

  /// A request has entered the chain, and its identity is settled.
  func entered(_ request: Request) {
    guard let record = request.call.flatMap({ records[$0] }) else { return }
    if record.partition == nil { record.partition = request.context.partition }
  }

  func sent(_ request: Request) {
    guard let record = request.call.flatMap({ records[$0] }) else { return }
    let url = "\(request.head.method) \(request.head.authority ?? "")\(request.head.path ?? "")"
    let now = world.scheduler.now
    if let earliest = record.notBefore[url], now < earliest, !world.plan.settings.hasHedging {
      fail(.attempts, "call \(record.id) was sent at \(now), before \(earliest), as Retry-After asks")
    }
    record.sent[url, default: []].append(now)
  }

  func arrived(_ arrival: SimulatedArrival) {
    let fields = arrival.request.head.headerFields
    let partition = arrival.request.context.partition
    if arrival.origin != APIServer.origin {
      let credentials = [HTTPField.Name.authorization, .cookie, World.memberField]
      for name in credentials + SignatureFields.all where fields.contains(name) {
        fail(.origins, "\(name) arrived at \(arrival.origin) with #\(arrival.number)")
      }
    }
    if let name = HTTPField.Name("baggage"), fields.contains(name) {
      count("baggage")
      if arrival.origin != APIServer.origin || hasLeftOrigin(arrival) {
        fail(.origins, "#\(arrival.number) at \(arrival.origin) has baggage")
      }
    }
    if hasLeftOrigin(arrival) {
      let credentials = [HTTPField.Name.authorization, World.memberField]
      for name in credentials + SignatureFields.all where fields.contains(name) {
        fail(.origins, "#\(arrival.number) has \(name), and its URL was chosen by another origin")
      }
    }
    if let value = fields[.authorization] ?? fields[World.memberField], arrival.origin == APIServer.origin {
      if fields.contains(World.memberField) { count("token: own field") }
      let owner = world.tokens.formerOwner(of: value)
      // The requests of a login without a name are sent with the token that it gets.
      if owner != partition, !partition.hasPrefix("\u{0}login") {
        fail(.origins, "#\(arrival.number) of \"\(partition)\" has the token of \(owner ?? "no account")")
      }
    }
    for pair in fields[values: .cookie].flatMap({ $0.split(separator: ";") }) {
      let value = pair.split(separator: "=", maxSplits: 1).last.map { String($0) } ?? ""
      guard let owner = world.cookies.owner(of: value) else { continue }
      if owner.origin != arrival.origin || owner.partition != partition {
        fail(
          .origins,
          "#\(arrival.number) of \"\(partition)\" at \(arrival.origin) has a cookie of "
            + "\"\(owner.partition)\" of \(owner.origin)")
      }
    }
  }

  /// Whether a redirect by another origin has led a request here.
  func hasLeftOrigin(_ arrival: SimulatedArrival) -> Bool {
    guard let path = arrival.call.flatMap({ records[$0]?.call.path }) else { return false }
    return path.hasPrefix("/round/") && !arrival.path.hasPrefix("/round/")
  }

  func replied(_ arrival: SimulatedArrival, _ reply: Response) {
    freshness.replied(reply, to: arrival.request, at: moment())
  }

  /// A server has accepted the signature of a request.
  func signatureAccepted(_ arrival: SimulatedArrival) { arrivals.append(arrival) }

  func signatureRefused(_ error: SignatureError, _ arrival: SimulatedArrival) {
    switch error {
    case .staleTimestamp: count("signature: stale time")
    case .unavailableNonces(let reason) where reason.kind == .timedOut || world.api.fleet.hasLostNonces:
      count("signature: not checked")
    default: fail(.signatures, "#\(arrival.number) was refused by the verifier: \(error)")
    }
  }

  /// A request that has arrived before is sent again.
  func replay(_ random: inout SeededRandom) {
    let candidates = arrivals.filter { $0.origin == APIServer.origin }
    guard let arrival = candidates.randomElement(using: &random) else { return }
    world.story.tell("#\(arrival.number) is replayed")
    count("signature: replay")
    Task {
      let count = await world.api.fleet.acceptances(ofReplayed: arrival.signedRequest)
      if count > 0 { fail(.signatures, "the replay of #\(arrival.number) was accepted by \(count) servers") }
    }
  }

  func delivered(_ reply: Response, to request: Request) {
    freshness.arrived(reply, at: world.scheduler.now)
    guard
      let record = request.call.flatMap({ records[$0] }),
      let wait = reply.head.headerFields[.retryAfter].flatMap({ wait(asked: $0) })
    else { return }
    let url = "\(request.head.method) \(request.head.authority ?? "")\(request.head.path ?? "")"
    record.notBefore[url] = world.scheduler.now + .seconds(wait)
  }

  /// Returns the least number of seconds for which a `Retry-After` asks.
  private func wait(asked text: String) -> Int? {
    guard let date = HTTPDate.parse(text) else { return Int(text) }
    // Dates have whole seconds, and the reply was on its way.
    return max(Int(world.clock.trueWallTime.duration(to: date).components.seconds) - 1, 0)
  }
}
