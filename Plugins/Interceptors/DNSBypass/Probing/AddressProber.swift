public import Interception

/// Measures how long a connection to an address takes, without sending a request.
///
/// A bypass probes the addresses of the hosts in use in the background, so that it finds a faster address
/// while the current one works. Tests replace the prober:
///
/// ```swift
/// let times: [String: Duration] = ["203.0.113.1": .milliseconds(80), "203.0.113.2": .milliseconds(10)]
/// let prober = AddressProber { target in times[target.address] ?? .seconds(1) }
/// ```
public struct AddressProber: Sendable {
  private let measure: @Sendable (ConnectTarget) async throws -> Duration

  /// Creates a prober.
  ///
  /// - Parameter measure: Returns the time that a connection took, or throws if none was made. It must end
  ///   within a few seconds. The target always has a port.
  public init(_ measure: @escaping @Sendable (ConnectTarget) async throws -> Duration) {
    self.measure = measure
  }

  /// A prober that opens a TCP connection, waits for it at most 2 s, and closes it.
  public static let tcp = AddressProber { target in try await SocketProbe(target).connectTime() }

  /// Returns the time that a connection took, or nil if none was made.
  func connectTime(to target: ConnectTarget) async -> Duration? { try? await measure(target) }
}
