public import Interception

/// What is known about an address of a host.
public struct AddressStanding: Sendable, Hashable {
  /// The address.
  public let target: ConnectTarget
  /// The average time of a TCP connection, newer ones counting more; nil before the first one.
  public let connectTime: Duration?
  /// How many times in a row it failed.
  public let failures: Int
  /// How long it is still left out; nil when it is not.
  public let circuitOpenFor: Duration?
}
