import Interception
import Synchronization

/// A host of the table that was used, and what is known about its addresses.
final class KnownHost: Sendable {
  private struct State {
    var ranking: AddressRanking
    var probes = ProbeSchedule()
    /// Whether the latest request went through a proxy.
    var isProxied = false
    /// The number of changes of the network.
    var network: UInt64 = 0

    /// Records whether a request went through a proxy, and returns whether the addresses should be probed.
    mutating func isProbeDue(isProxied: Bool, at now: Duration) -> Bool {
      self.isProxied = isProxied
      return !isProxied && ranking.addresses.count > 1 && probes.begin(at: now)
    }
  }

  /// How to send a request.
  struct Choice {
    /// The best address, if it was reached recently and connects fast; nil if the addresses must race.
    var established: ConnectTarget?
    /// Whether a success over an open connection tells nothing new.
    var isFresh = false
    /// Whether the addresses should be probed; false if they must race.
    var isProbeDue = false
    /// The number of the network in which the request begins.
    var network: UInt64 = 0
  }

  let name: HostName
  /// The port of the requests, for addresses without one.
  let port: Int
  private let state: Mutex<State>

  init(_ name: HostName, port: Int, addresses: [ConnectTarget]) {
    self.name = name
    self.port = port
    state = Mutex(State(ranking: AddressRanking(addresses)))
  }

  /// The addresses, in the table's order.
  var addresses: [ConnectTarget] { withRanking { $0.addresses } }

  /// The number of the present network; an outcome counts only if its request or probe began in this network.
  ///
  /// The times and failures of the former network don't apply to the present one.
  var network: UInt64 { state.withLock { $0.network } }

  /// Changes the ranking by the outcome of a request or probe that began in `network`; nil if the network has
  /// changed since.
  @discardableResult private func note<Result>(
    in network: UInt64, _ work: (inout AddressRanking) -> Result
  ) -> Result? {
    state.withLock { $0.network == network ? work(&$0.ranking) : nil }
  }

  private func withRanking<Result>(_ work: (inout AddressRanking) -> Result) -> Result {
    state.withLock { work(&$0.ranking) }
  }

  /// Chooses how to send a request.
  func choose(delay: Duration, at now: Duration) -> Choice {
    state.withLock { state in
      var choice = Choice(network: state.network)
      if let (target, isFresh) = state.ranking.established(delay: delay, at: now) {
        choice.established = target
        choice.isFresh = isFresh
        // It was reached without a proxy.
        choice.isProbeDue = state.isProbeDue(isProxied: false, at: now)
      }
      return choice
    }
  }

  /// Whether the addresses may be probed: there are several, and no proxy connects to the host.
  var canProbe: Bool { state.withLock { $0.ranking.addresses.count > 1 && !$0.isProxied } }

  /// Records whether a request went through a proxy, and returns whether the addresses should be probed.
  ///
  /// Behind a proxy a direct connection may be forbidden, and its time means nothing.
  func isProbeDue(isProxied: Bool, at now: Duration) -> Bool {
    state.withLock { $0.isProbeDue(isProxied: isProxied, at: now) }
  }

  /// Returns the addresses that race, in the order in which they start.
  ///
  /// - Parameters:
  ///   - failures: The attempts before. If `retriesSilent` is set, an address that did not respond in time is
  ///     the last one of the race, because it may only be slow.
  ///   - limit: The maximum number of addresses, with those that were tried.
  func candidates(
    after failures: [BypassError.Attempt], limit: Int, retriesSilent: Bool, at now: Duration
  ) -> [ConnectTarget] {
    let tried = failures.compactMap(\.target)
    let others = withRanking { $0.order(butNot: tried, limit: max(0, limit - tried.count), at: now) }
    let silent = failures.filter { retriesSilent && $0.error?.kind == .timeout(.connect) }
    return others + silent.compactMap(\.target)
  }

  /// Records a response over a connection to an address.
  func noteSuccess(
    of target: ConnectTarget, _ transport: TransportReport?, in network: UInt64, at now: Duration
  ) {
    let phases = transport.flatMap { $0.connectionWasReused ? nil : $0.phases }
    note(in: network) {
      $0.noteSuccess(of: target, connectTime: phases?.connect, handshake: phases?.tls, at: now)
    }
  }

  /// Records that a connection was made, but not used.
  func noteConnected(_ target: ConnectTarget, in network: UInt64) {
    note(in: network) { $0.noteConnected(target) }
  }

  /// Records a failure to connect; returns false if the circuit breaker was already open, or the network has
  /// changed.
  func noteFailure(
    of target: ConnectTarget, _ cause: AddressRanking.FailureCause, in network: UInt64, at now: Duration
  ) -> Bool {
    note(in: network) { $0.noteFailure(of: target, cause, at: now) } ?? false
  }

  /// Takes back failures that were not the addresses' fault.
  func retractFailures(of targets: [ConnectTarget], in network: UInt64) {
    guard !targets.isEmpty else { return }
    note(in: network) { for target in targets { $0.retractFailure(target) } }
  }

  /// Records the results of probes; nil is a failure.
  ///
  /// If all have failed, the network is down, and no address is to blame.
  func noteProbes(
    _ results: [(target: ConnectTarget, connectTime: Duration?)], in network: UInt64, at now: Duration
  ) {
    guard results.contains(where: { $0.connectTime != nil }) else { return }
    note(in: network) {
      for (target, connectTime) in results { $0.noteProbe(of: target, connectTime: connectTime, at: now) }
    }
  }

  /// Marks the host as being probed, whether or not a probe is due.
  func beginProbe(at now: Duration) { state.withLock { $0.probes.restart(at: now) } }

  /// Replaces the addresses; measurements of the remaining ones are kept.
  func adopt(_ addresses: [ConnectTarget]) {
    state.withLock { state in
      if state.ranking.addresses != addresses { state.probes = ProbeSchedule() }
      state.ranking.adopt(addresses)
    }
  }

  /// Forgets failures, and has the next measurements replace those of the former network.
  func networkDidChange() {
    state.withLock { state in
      state.network += 1
      state.ranking.networkDidChange()
    }
  }

  func statuses(at now: Duration) -> [AddressStatus] { withRanking { $0.statuses(at: now) } }
}
