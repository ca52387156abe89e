import HTTPTypes
import Interception
import Logging

/// Optional parts of a log line, besides the request, the status, the number of bytes and the duration.
public struct LogDetails: OptionSet, Sendable, Hashable {
  /// The raw bits.
  public let rawValue: UInt

  /// Creates a set from raw bits.
  public init(rawValue: UInt) { self.rawValue = rawValue }

  /// The redacted header fields of request and response.
  public static let headers = LogDetails(rawValue: 1 << 0)
  /// The transport's phase timings, remote address, HTTP version, why that is not HTTP/3, and byte counts.
  public static let transport = LogDetails(rawValue: 1 << 1)
  /// A redacted curl command line; see ``CurlCommand``.
  public static let curlCommand = LogDetails(rawValue: 1 << 2)
}
