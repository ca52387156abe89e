import Interception

/// Which address of a host to use: learnt from connections, a pure value that time and outcomes are told to.
///
/// The address in use stays until another one connects faster by 15 % and by 10 ms, so that noise
/// doesn't make it flap. A failure opens the address's circuit for 30 s, each further one for twice as long up to 10 min; then
/// one request at a time may try it, as long as that pays, and a success closes the circuit.
struct AddressRanking: Sendable {
  private struct Health {
    var connectTime: Duration?
    var failures = 0
    var openUntil: Duration?
    var trialUntil: Duration?

    func isAvailable(at now: Duration) -> Bool { openUntil ?? now <= now && trialUntil ?? now <= now }
  }

  /// How much the latest connection counts in the average.
  private static let weight = 0.3
  private static let firstOpening = Duration.seconds(30)
  private static let longestOpening = Duration.seconds(600)
  /// How long a single request may take to try a circuit before another one may.
  private static let trialTime = Duration.seconds(10)

  private(set) var addresses: [ConnectTarget]
  private var health: [ConnectTarget: Health] = [:]
  private var current: ConnectTarget?

  /// Makes a ranking that knows nothing yet: the first address is used.
  init(_ addresses: [ConnectTarget]) {
    self.addresses = addresses
    current = addresses.first
  }

  /// Takes a new list, and keeps what is known about the addresses that stay.
  mutating func adopt(_ addresses: [ConnectTarget]) {
    self.addresses = addresses
    health = health.filter { addresses.contains($0.key) }
    if let current, !addresses.contains(current) { self.current = nil }
  }

  /// Returns the address to connect to; nil when each one has been tried or has an open circuit.
  mutating func choose(butNot tried: [ConnectTarget], at now: Duration) -> ConnectTarget? {
    let candidates = addresses.filter { !tried.contains($0) && self[$0].isAvailable(at: now) }
    guard let choice = best(of: candidates) else { return nil }
    if self[choice].failures > 0 {
      self[choice].trialUntil = now + Self.trialTime
    } else {
      current = choice
    }
    return choice
  }

  /// Notes that an address was connected to; `connectTime` is nil where an open connection was used again.
  mutating func noteSuccess(of target: ConnectTarget, connectTime: Duration?) {
    guard addresses.contains(target) else { return }
    let former = self[target].connectTime
    self[target] = Health(connectTime: former)
    guard let connectTime else { return }
    self[target].connectTime =
      former.map { connectTime * Self.weight + $0 * (1 - Self.weight) } ?? connectTime
  }

  /// Notes that an address could not be connected to; returns false when that was known already.
  ///
  /// Many requests that fail at the same time are one failure.
  mutating func noteFailure(of target: ConnectTarget, at now: Duration) -> Bool {
    guard addresses.contains(target), self[target].openUntil ?? now <= now else { return false }
    self[target].failures += 1
    self[target].trialUntil = nil
    // Five doublings of 30 s are beyond the longest opening.
    let opening = Self.firstOpening * (1 << min(self[target].failures - 1, 5))
    self[target].openUntil = now + min(opening, Self.longestOpening)
    return true
  }

  /// Takes a failure back that was not the address's fault.
  mutating func forgive(_ target: ConnectTarget) {
    guard addresses.contains(target) else { return }
    self[target].failures = max(0, self[target].failures - 1)
    self[target].openUntil = nil
  }

  /// Tells what is known about each address, in the table's order.
  func standings(at now: Duration) -> [AddressStanding] {
    addresses.map { target in
      let health = self[target]
      return AddressStanding(
        target: target, connectTime: health.connectTime, failures: health.failures,
        circuitOpenFor: health.openUntil.flatMap { $0 > now ? $0 - now : nil })
    }
  }

  private subscript(_ target: ConnectTarget) -> Health {
    get { health[target] ?? Health() }
    set { health[target] = newValue }
  }

  private func best(of candidates: [ConnectTarget]) -> ConnectTarget? {
    guard let current, candidates.contains(current), self[current].failures == 0 else {
      return candidates.min { precedes($0, $1) }
    }
    let faster = candidates.filter { isClearlyFaster($0, than: current) }
    return faster.min { precedes($0, $1, byTimeAlone: true) } ?? current
  }

  private func isClearlyFaster(_ target: ConnectTarget, than other: ConnectTarget) -> Bool {
    guard let time = self[target].connectTime, let otherTime = self[other].connectTime else { return false }
    return otherTime - time >= .milliseconds(10) && time <= otherTime * 0.85
  }

  /// Those that didn't fail first, then those with a known time, the shorter one first; else the table's order.
  private func precedes(_ left: ConnectTarget, _ right: ConnectTarget, byTimeAlone: Bool = false) -> Bool {
    let (leftHealth, rightHealth) = (self[left], self[right])
    if !byTimeAlone, (leftHealth.failures == 0) != (rightHealth.failures == 0) {
      return leftHealth.failures == 0
    }
    switch (leftHealth.connectTime, rightHealth.connectTime) {
    case (let leftTime?, let rightTime?): return leftTime < rightTime
    case (_?, nil): return true
    case (nil, _): return false
    }
  }
}
