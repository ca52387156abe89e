/// What a line says besides who asked whom, the status, the bytes and the duration.
public struct LogDetails: OptionSet, Sendable, Hashable {
  /// The bits of the set.
  public let rawValue: UInt

  /// Makes a set of its bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The redacted fields of request and answer.
  public static let headers = LogDetails(rawValue: 1 << 0)
  /// The times of the transport's phases, its address, version and bytes.
  public static let transport = LogDetails(rawValue: 1 << 1)
  /// A redacted cURL line, see ``CurlCommand``.
  public static let curlCommand = LogDetails(rawValue: 1 << 2)
}
