import HTTPTypes
public import Interception
import Synchronization

/// What is known about an address of a host.
public struct AddressStatus: Sendable, Hashable {
  /// The address.
  public let target: ConnectTarget
  /// The moving average of the TCP connect time, or nil before the first connection.
  public let connectTime: Duration?
  /// The number of consecutive failures.
  public let failures: Int
  /// The time until the circuit breaker allows a request again, or nil if it is closed.
  public let circuitOpenFor: Duration?
}
