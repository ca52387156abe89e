/// How fast a machine is at the moment, by the rate of the C program with 64 requests in flight.
public struct HostPace: Sendable, Hashable {
  /// The rate below which figures are not worth the time that they take.
  public static let minimum = 30_000.0

  /// The requests per second.
  public let requestsPerSecond: Double

  /// Creates a pace.
  public init(requestsPerSecond: Double) { self.requestsPerSecond = requestsPerSecond }

  /// Why nothing should be measured, and what to do; nil if the machine is fast enough.
  public var complaint: String? {
    guard requestsPerSecond < Self.minimum else { return nil }
    return
      "this machine is slow or busy: the C program sends \(Decimals.text(requestsPerSecond, 0)) requests per second, and a full "
      + "run needs \(Decimals.text(Self.minimum, 0)); end what else runs, or measure less with --quick or --only"
  }
}
