import Interception

/// Decides when a request's attempts to connect start: events in, actions out, without a clock or I/O.
///
/// The attempts are numbered: those to addresses from 0, in the order in which they start, and after them the
/// one by the system's DNS. The next attempt to an address starts when the newest one has failed, or isn't
/// connected after the delay (RFC 8305, section 5). The system's DNS is asked when every address has failed,
/// or ``lastResortDelay`` after the last one started.
struct AddressRace: Sendable {
  enum Action: Hashable {
    case start(Int)
    /// Call ``delayPassed(round:isConnecting:)`` after the delay.
    case wait(Duration, round: Int)
  }

  /// How long the newest address may take before the system's DNS is asked.
  static let lastResortDelay = Duration.seconds(2)

  private let addresses: Int
  private let delay: Duration?
  private var round = 0
  private var next = 0
  private var isHalted = false
  /// The attempts that have started and not ended, in the order of their starts.
  private(set) var running: [Int] = []

  /// Creates a race of a number of addresses; without a delay an attempt starts only when the one before has
  /// failed.
  init(addresses: Int, delay: Duration?) {
    self.addresses = addresses
    self.delay = delay
  }

  /// Whether every attempt has ended and no other one starts.
  var isOver: Bool { running.isEmpty && (isHalted || next > addresses) }

  /// Starts the first attempt.
  mutating func begin() -> [Action] { startNext() }

  /// Ends a delay; while the first attempt waits to be sent, without connecting yet, the delay starts again.
  mutating func delayPassed(round: Int, isConnecting: Bool) -> [Action] {
    guard round == self.round else { return [] }
    return isConnecting ? startNext() : wait()
  }

  /// Ends an attempt that could not connect.
  mutating func failed(_ attempt: Int) -> [Action] {
    end(attempt)
    let wasNewest = attempt == next - 1
    return running.isEmpty || (wasNewest && next < addresses) ? startNext() : []
  }

  /// Ends an attempt without starting another one.
  mutating func end(_ attempt: Int) { running.removeAll { $0 == attempt } }

  /// Starts no more attempts.
  mutating func halt() { isHalted = true }

  private mutating func startNext() -> [Action] {
    guard !isHalted, next <= addresses else { return [] }
    let attempt = next
    next += 1
    running.append(attempt)
    return [.start(attempt)] + wait()
  }

  private mutating func wait() -> [Action] {
    guard let delay, next <= addresses else { return [] }
    round += 1
    return [.wait(next == addresses ? max(delay, Self.lastResortDelay) : delay, round: round)]
  }
}

/// The state of a race: the attempts of one request, their addresses and errors.
struct RaceProgress {
  var race: AddressRace
  private var pending: PendingRequest
  private let targets: [ConnectTarget]
  private let delay: Duration?
  private let connections = ConnectRace()
  private var fatal: NetworkError?
  /// Whether the attempt that sent the request has failed.
  private var hasEnded = false
  private var systemFailure: NetworkError?

  init(_ pending: PendingRequest, targets: [ConnectTarget], delay: Duration?) {
    self.pending = pending
    self.targets = targets
    self.delay = delay
    race = AddressRace(addresses: targets.count, delay: delay)
  }

  var isOver: Bool { hasEnded || race.isOver || (fatal != nil && race.running.isEmpty) }

  /// Whether the host's addresses should be probed; not behind a proxy, or if nothing was tried.
  func isProbeDue(at now: Duration) -> Bool {
    guard delay == nil || connections.isConnecting else { return false }
    return pending.host.isProbeDue(isProxied: connections.isProxied, at: now)
  }

  private func target(_ number: Int) -> ConnectTarget? {
    number < targets.count ? targets[number] : nil
  }

  /// Returns the request of an attempt, whose time limits end with those of the first one.
  func request(_ number: Int, at now: Duration) -> Request {
    var request = pending.request
    request.context.connectTarget = target(number)
    guard delay != nil else {
      if target(number) != nil { request.lowerConnectLimit(to: DNSBypassInterceptor.sequentialLimit) }
      return request
    }
    request.context.raceEntry = connections.entry(number)
    request.shortenLimits(by: now - pending.start)
    return request
  }

  mutating func delayPassed(_ round: Int) -> [AddressRace.Action] {
    guard connections.winner == nil, !connections.isProxied else { return [] }
    return race.delayPassed(round: round, isConnecting: connections.isConnecting)
  }

  /// Learns from a response, and from the attempts that started earlier and are still not connected.
  func succeed(_ number: Int, _ transport: TransportReport?, at now: Duration) {
    guard !connections.isProxied else { return }
    if let target = target(number) {
      pending.host.noteSuccess(of: target, transport, in: pending.network, at: now)
    }
    for earlier in race.running where earlier < number {
      guard let target = target(earlier) else { continue }
      _ = pending.host.noteFailure(of: target, .connection, in: pending.network, at: now)
    }
  }

  /// Ends an attempt; returns what to do next.
  mutating func fail(_ number: Int, _ error: NetworkError, at now: Duration) -> [AddressRace.Action] {
    if let winner = connections.winner, winner != number {
      race.end(number)
      guard error.underlying is ConnectRace.Overtaken, let target = target(number) else { return [] }
      pending.host.noteConnected(target, in: pending.network)
      return []
    }
    guard !connections.isProxied, error.isUnconnected(bySystem: target(number) == nil) else {
      // Only the error of the attempt that sent the request says whether it may have been processed.
      if connections.winner == number {
        (fatal, hasEnded) = (error, true)
      } else {
        fatal = fatal ?? error
      }
      race.halt()
      race.end(number)
      return []
    }
    if let target = target(number) {
      pending.failures.removeAll { $0.target == target }
      if pending.host.noteFailure(of: target, error.failureCause, in: pending.network, at: now) {
        pending.blamed.append(target)
      }
    } else {
      systemFailure = error
    }
    pending.failures.append(BypassError.Attempt(target: target(number), error: error))
    return race.failed(number)
  }

  /// The error of a request of which no attempt succeeded.
  var failure: NetworkError {
    let lastAddress = pending.failures.last { $0.target != nil }?.error
    if let fatal {
      // A second attempt that failed only because the body can't be read twice hides the cause.
      return fatal.kind == .bodyNotReplayable ? lastAddress ?? fatal : fatal
    }
    // If nothing can be reached, the network is down, and no address is to blame.
    pending.host.retractFailures(of: pending.blamed, in: pending.network)
    // The system's DNS doesn't know names that exist only in the table; the error of their addresses is
    // more useful.
    let system = systemFailure ?? lastAddress
    var kind = system?.kind == .resolve ? lastAddress?.kind : system?.kind
    // A certificate that no address could prove is the host's fault, whatever the system's DNS has found.
    let causes = pending.failures.filter { $0.target != nil }.compactMap { $0.error?.failureCause }
    if !causes.isEmpty, causes.allSatisfy({ $0 == .certificate }), system?.failureCause != .certificate {
      kind = lastAddress?.kind
    }
    let failures =
      pending.failures.filter { $0.target != nil } + pending.failures.filter { $0.target == nil }
    let untried = pending.host.addresses.filter { address in !failures.contains { $0.target == address } }
    return BypassError(
      host: pending.authority,
      attempts: failures + untried.map { BypassError.Attempt(target: $0, error: nil) }
    ).networkError(kind ?? .connect, attempt: pending.request.attempt)
  }
}
