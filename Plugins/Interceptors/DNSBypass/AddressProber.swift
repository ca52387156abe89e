package import Interception
import Synchronization

/// Measures how long a connection to an address takes, without sending a request.
///
/// A bypass probes the addresses of the hosts in use in the background, so that it finds a faster address
/// while the current one works. Tests replace the prober.
package struct AddressProber: Sendable {
  private let measure: @Sendable (ConnectTarget) async throws -> Duration

  /// Creates a prober.
  ///
  /// - Parameter measure: Returns the time that a connection took, or throws if none was made. It must end
  ///   within a few seconds. The target always has a port.
  package init(_ measure: @escaping @Sendable (ConnectTarget) async throws -> Duration) {
    self.measure = measure
  }

  /// A prober that opens a TCP connection, waits for it at most 2 s, and closes it.
  package static let tcp = AddressProber { target in try await SocketProbe(target).connectTime() }

  /// Returns the time that a connection took, or nil if none was made.
  func connectTime(to target: ConnectTarget) async -> Duration? { try? await measure(target) }
}

/// Probes the addresses of hosts in the background, one host after another.
final class ProbeRunner: Sendable {
  /// The maximum number of connections at once.
  static let concurrency = 10

  private struct State {
    var waiting: [KnownHost] = []
    var task: Task<Void, Never>?
  }

  private let prober: AddressProber
  private let time: TimeSource
  private let state = Mutex(State())

  init(_ prober: AddressProber, time: TimeSource) {
    self.prober = prober
    self.time = time
  }

  /// Adds hosts to those that wait, and starts a task if none runs.
  func enqueue(_ hosts: [KnownHost]) {
    let now = time.now()
    state.withLock { state in
      for host in hosts where !state.waiting.contains(where: { $0 === host }) {
        host.beginProbe(at: now)
        state.waiting.append(host)
      }
      guard state.task == nil, !state.waiting.isEmpty else { return }
      // The task retains the runner until no host waits, or it is cancelled.
      state.task = Task { await run() }
    }
  }

  /// Drops the hosts that wait; the connections being made end within the prober's limit.
  func stop() {
    let task = state.withLock { state in
      state.waiting = []
      return state.task
    }
    task?.cancel()
  }

  private func run() async {
    while let host = takeNext() {
      let network = host.network
      let results = await probe(host)
      if !Task.isCancelled { host.noteProbes(results, in: network, at: time.now()) }
    }
  }

  private func takeNext() -> KnownHost? {
    state.withLock { state in
      guard !state.waiting.isEmpty else {
        state.task = nil
        return nil
      }
      return state.waiting.removeFirst()
    }
  }

  private func probe(_ host: KnownHost) async -> [(target: ConnectTarget, connectTime: Duration?)] {
    typealias Measurement = (target: ConnectTarget, connectTime: Duration?)
    return await withTaskGroup(of: Measurement.self) { group in
      var results: [Measurement] = []
      for (index, target) in host.addresses.enumerated() {
        if index >= Self.concurrency, let result = await group.next() { results.append(result) }
        let address = ConnectTarget(address: target.address, port: target.port ?? host.port)
        group.addTask { [prober] in
          guard !Task.isCancelled else { return (target, nil) }
          return (target, await prober.connectTime(to: address))
        }
      }
      for await result in group { results.append(result) }
      return results
    }
  }
}

/// Decides when a host's addresses are probed: at its first use, and every ``interval`` while it is used.
struct ProbeSchedule: Sendable {
  /// The time between two probes of an address.
  static let interval = Duration.seconds(300)

  private var next: Duration?

  /// Returns whether a probe is due at a request, and starts the next interval if it is.
  mutating func begin(at now: Duration) -> Bool {
    if let next, now < next { return false }
    restart(at: now)
    return true
  }

  /// Starts the next interval.
  mutating func restart(at now: Duration) { next = now + Self.interval }
}
