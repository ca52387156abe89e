import Interception

/// Decides which address of a host to use, from past connections; a pure value, with the time as a parameter.
///
/// The current address is kept until another one connects faster by at least 15 % and 10 ms, so that noise
/// doesn't make it flap. A failure opens the address's circuit breaker for 30 s, and each further failure for
/// twice as long, up to 10 min. After that requests may try the address, one at a time if it would be
/// preferred; a success closes the circuit breaker.
struct AddressRanking: Sendable {
  /// What an address failed at.
  enum FailureCause: Hashable {
    /// No connection was made; a probe can show that the address works again.
    case connection
    /// TLS failed, for example because of the certificate, which a probe doesn't see.
    case certificate
  }

  private struct Health {
    var connectTime: Duration?
    /// Whether ``connectTime`` is that of a former network.
    var isOutdated = false
    /// The time from the start of the latest connection until it was ready for requests.
    var setupTime: Duration?
    /// When the address last responded.
    var respondedAt: Duration?
    var failures = 0
    var cause = FailureCause.connection
    var openUntil: Duration?
    var trialUntil: Duration?

    func isAvailable(at now: Duration) -> Bool { openUntil ?? now <= now && trialUntil ?? now <= now }

    mutating func clearFailures() {
      failures = 0
      openUntil = nil
      trialUntil = nil
    }

    mutating func add(connectTime sample: Duration) {
      if let former = connectTime, !isOutdated {
        connectTime = sample * AddressRanking.weight + former * (1 - AddressRanking.weight)
      } else {
        connectTime = sample
      }
      isOutdated = false
    }
  }

  /// How long after a response an address counts as reached; connections are kept open about that long.
  static let establishedTime = Duration.seconds(60)

  /// The weight of the latest connection in the average.
  fileprivate static let weight = 0.3
  private static let firstOpening = Duration.seconds(30)
  private static let maximumOpening = Duration.seconds(600)
  /// How long a trial request may take before another one may try the address.
  private static let trialTime = Duration.seconds(10)

  /// The addresses, in the table's order.
  private(set) var addresses: [ConnectTarget]
  /// What is known about each address, at the same index.
  private var health: [Health]
  private var current: Int?

  /// Creates a ranking without measurements, which starts with the first address.
  init(_ addresses: [ConnectTarget]) {
    self.addresses = addresses
    health = addresses.map { _ in Health() }
    current = addresses.isEmpty ? nil : 0
  }

  /// Replaces the list of addresses; measurements of the remaining ones are kept.
  mutating func adopt(_ addresses: [ConnectTarget]) {
    let formerCurrent = current.map { self.addresses[$0] }
    health = addresses.map { address in index(of: address).map { health[$0] } ?? Health() }
    self.addresses = addresses
    current = formerCurrent.flatMap { index(of: $0) }
  }

  /// Returns the best address if it can be connected to without a race: it responded within
  /// ``establishedTime``, didn't fail since, and usually connects in half of `delay`.
  ///
  /// It is fresh if it responded so recently that another success need not be recorded.
  mutating func established(delay: Duration, at now: Duration) -> (target: ConnectTarget, isFresh: Bool)? {
    guard let best = best(butNot: [], at: now), health[best].failures == 0 else { return nil }
    current = best
    let state = health[best]
    guard let respondedAt = state.respondedAt, now - respondedAt < Self.establishedTime,
      (state.setupTime ?? .zero) * 2 <= delay
    else { return nil }
    return (addresses[best], now - respondedAt < Self.establishedTime / 4)
  }

  /// Returns the order in which addresses are tried: the best one first, then available ones by
  /// ``choose(butNot:at:)``'s preference, alternating between IPv6 and IPv4 as long as they are not measured
  /// (RFC 8305, section 4).
  mutating func order(butNot tried: [ConnectTarget], limit: Int, at now: Duration) -> [ConnectTarget] {
    guard limit > 0 else { return [] }
    var order: [Int] = []
    if tried.isEmpty, let target = choose(butNot: [], at: now), let best = index(of: target) {
      order.append(best)
    }
    var rest = addresses.indices.filter { index in
      health[index].isAvailable(at: now) && !order.contains(index) && !tried.contains(addresses[index])
    }
    while order.count < limit, !rest.isEmpty {
      var next = 0
      for candidate in rest.indices where precedes(rest[candidate], rest[next]) { next = candidate }
      let previous = order.last.map { addresses[$0] } ?? tried.last
      if let previous, health[rest[next]].connectTime == nil, addresses[rest[next]].family == previous.family
      {
        next =
          rest.indices.first { candidate in
            let index = rest[candidate]
            return addresses[index].family != previous.family
              && (health[index].failures > 0) == (health[rest[next]].failures > 0)
          } ?? next
      }
      order.append(rest.remove(at: next))
    }
    return order.map { addresses[$0] }
  }

  /// Returns the address to connect to, or nil if each has been tried or has an open circuit breaker.
  mutating func choose(butNot tried: [ConnectTarget], at now: Duration) -> ConnectTarget? {
    guard let best = best(butNot: tried, at: now) else { return nil }
    if health[best].failures > 0 { health[best].trialUntil = now + Self.trialTime } else { current = best }
    return addresses[best]
  }

  private func best(butNot tried: [ConnectTarget], at now: Duration) -> Int? {
    func isCandidate(_ index: Int) -> Bool {
      health[index].isAvailable(at: now) && !tried.contains(addresses[index])
    }
    var best: Int?
    if let current, isCandidate(current), health[current].failures == 0 {
      best = current
      for index in addresses.indices
      where isClearlyFaster(index, than: current) && isCandidate(index) && isFaster(index, than: best) {
        best = index
      }
    } else {
      for index in addresses.indices where isCandidate(index) && precedes(index, best) { best = index }
    }
    return best
  }

  /// Records a response; `connectTime` is nil if an open connection was reused, and `handshake` is nil
  /// without TLS.
  mutating func noteSuccess(
    of target: ConnectTarget, connectTime: Duration?, handshake: Duration? = nil, at now: Duration
  ) {
    guard let index = index(of: target) else { return }
    health[index].clearFailures()
    health[index].respondedAt = now
    guard let connectTime else { return }
    health[index].setupTime = connectTime + (handshake ?? .zero)
    health[index].add(connectTime: connectTime)
  }

  /// Records that a connection was made that no request was sent over.
  mutating func noteConnected(_ target: ConnectTarget) {
    guard let index = index(of: target) else { return }
    health[index].clearFailures()
  }

  /// Records the connect time of a probe, or nil if no connection was made.
  mutating func noteProbe(of target: ConnectTarget, connectTime: Duration?, at now: Duration) {
    guard let index = index(of: target) else { return }
    guard let connectTime else {
      _ = noteFailure(of: target, .connection, at: now)
      return
    }
    health[index].add(connectTime: connectTime)
    if health[index].cause == .connection { health[index].clearFailures() }
  }

  /// Records a failure to connect; returns false if the circuit breaker was already open.
  ///
  /// Concurrent failures therefore count as one.
  mutating func noteFailure(
    of target: ConnectTarget, _ cause: FailureCause = .connection, at now: Duration
  ) -> Bool {
    guard let index = index(of: target), health[index].openUntil ?? now <= now else { return false }
    health[index].failures += 1
    health[index].cause = cause
    health[index].respondedAt = nil
    health[index].trialUntil = nil
    // Five doublings of 30 s exceed the maximum.
    let opening = Self.firstOpening * (1 << min(health[index].failures - 1, 5))
    health[index].openUntil = now + min(opening, Self.maximumOpening)
    return true
  }

  /// Takes back a failure that was not the address's fault.
  mutating func retractFailure(_ target: ConnectTarget) {
    guard let index = index(of: target) else { return }
    health[index].failures = max(0, health[index].failures - 1)
    health[index].openUntil = nil
  }

  /// Forgets failures; the next measurement of each address replaces that of the former network.
  mutating func networkDidChange() {
    for index in health.indices {
      health[index] = Health(connectTime: health[index].connectTime, isOutdated: true)
    }
  }

  /// Returns what is known about each address, in the table's order.
  func statuses(at now: Duration) -> [AddressStatus] {
    zip(addresses, health).map { target, health in
      AddressStatus(
        target: target, connectTime: health.connectTime, failures: health.failures,
        circuitOpenFor: health.openUntil.flatMap { $0 > now ? $0 - now : nil })
    }
  }

  private func index(of target: ConnectTarget) -> Int? { addresses.firstIndex(of: target) }

  private func isClearlyFaster(_ index: Int, than other: Int) -> Bool {
    guard let time = health[index].connectTime, let otherTime = health[other].connectTime else {
      return false
    }
    return otherTime - time >= .milliseconds(10) && time <= otherTime * 0.85
  }

  private func isFaster(_ index: Int, than other: Int?) -> Bool {
    guard let time = health[index].connectTime else { return false }
    guard let other, let otherTime = health[other].connectTime else { return true }
    return time < otherTime
  }

  /// Orders addresses that didn't fail first, then by known connect time, then by the table's order.
  private func precedes(_ index: Int, _ other: Int?) -> Bool {
    guard let other else { return true }
    let hasFailed = health[index].failures > 0
    guard hasFailed == (health[other].failures > 0) else { return !hasFailed }
    return isFaster(index, than: other)
  }
}

extension ConnectTarget {
  fileprivate enum Family {
    case version4
    case version6
  }

  fileprivate var family: Family { address.utf8.contains(UInt8(ascii: ":")) ? .version6 : .version4 }
}
