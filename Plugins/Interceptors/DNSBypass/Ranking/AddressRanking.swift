import Interception

/// Decides which address of a host to use, from past connections; a pure value, with the time as a parameter.
///
/// The current address is kept until another one connects faster by at least 15 % and 10 ms, so that noise
/// doesn't make it flap. A failure opens the address's circuit breaker for 30 s, and each further failure for
/// twice as long, up to 10 min. After that one request at a time may try the address, if it would be
/// preferred; a success closes the circuit breaker.
struct AddressRanking: Sendable {
  private struct Health {
    var connectTime: Duration?
    var failures = 0
    var openUntil: Duration?
    var trialUntil: Duration?

    func isAvailable(at now: Duration) -> Bool { openUntil ?? now <= now && trialUntil ?? now <= now }
  }

  /// The weight of the latest connection in the average.
  private static let weight = 0.3
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

  /// Returns the address to connect to, or nil if each has been tried or has an open circuit breaker.
  mutating func choose(butNot tried: [ConnectTarget], at now: Duration) -> ConnectTarget? {
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
    guard let best else { return nil }
    if health[best].failures > 0 { health[best].trialUntil = now + Self.trialTime } else { current = best }
    return addresses[best]
  }

  /// Records a successful connection; `connectTime` is nil if an open connection was reused.
  mutating func noteSuccess(of target: ConnectTarget, connectTime: Duration?) {
    guard let index = index(of: target) else { return }
    let former = health[index].connectTime
    health[index] = Health(connectTime: former)
    guard let connectTime else { return }
    health[index].connectTime =
      former.map { connectTime * Self.weight + $0 * (1 - Self.weight) } ?? connectTime
  }

  /// Records a failure to connect; returns false if the circuit breaker was already open.
  ///
  /// Concurrent failures therefore count as one.
  mutating func noteFailure(of target: ConnectTarget, at now: Duration) -> Bool {
    guard let index = index(of: target), health[index].openUntil ?? now <= now else { return false }
    health[index].failures += 1
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
