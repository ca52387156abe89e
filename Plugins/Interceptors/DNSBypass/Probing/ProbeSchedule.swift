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
