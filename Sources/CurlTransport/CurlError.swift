/// A failure that libcurl reported; it is the `underlying` error of the dispatcher's errors.
public struct CurlError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The number of libcurl's `CURLcode`.
  public let code: Int
  /// libcurl's constant description of the code.
  public let summary: String
  /// libcurl's description of this failure; empty if it has none.
  ///
  /// It may name hosts, addresses and parts of the response's framing, but nothing of the request's content.
  public internal(set) var detail = ""

  /// The code and libcurl's description.
  public var description: String { "curl \(code): \(detail.isEmpty ? summary : detail)" }
}
