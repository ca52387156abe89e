import Interception

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
    if let target = target(number) { pending.host.noteSuccess(of: target, transport, at: now) }
    for earlier in race.running where earlier < number {
      guard let target = target(earlier) else { continue }
      _ = pending.host.noteFailure(of: target, .connection, at: now)
    }
  }

  /// Ends an attempt; returns what to do next.
  mutating func fail(_ number: Int, _ error: NetworkError, at now: Duration) -> [AddressRace.Action] {
    if let winner = connections.winner, winner != number {
      race.end(number)
      guard error.underlying is ConnectRace.Overtaken, let target = target(number) else { return [] }
      pending.host.noteConnected(target)
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
      if pending.host.noteFailure(of: target, error.failureCause, at: now) {
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
    pending.host.retractFailures(of: pending.blamed)
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
