/// How much of the bodies is logged; nothing by default.
///
/// Only text is logged: `text/*`, JSON, XML, forms, JavaScript and GraphQL, and only without a content
/// coding. Values in forms and in JSON are redacted like those in a query, see
/// ``Redaction/shownQueryNames``, also where a sample is cut off. Other text is logged unchanged, including
/// passwords: hide them with `redacting`, and don't enable sampling for real users.
public struct BodySampling: Sendable {
  /// The maximum number of bytes of a request's body; only a body in memory is logged.
  public let requestBytes: Int
  /// The maximum number of bytes of a response's body.
  public let responseBytes: Int
  /// The sampling period: one request in this many is sampled.
  public let period: UInt64
  let redact: @Sendable (String) -> String

  /// Logs no bodies.
  public static let none = BodySampling(requestBytes: 0, responseBytes: 0)

  /// Creates a sampling configuration.
  ///
  /// - Parameters:
  ///   - requestBytes: The maximum number of bytes of a request's body.
  ///   - responseBytes: The maximum number of bytes of a response's body.
  ///   - period: 1 samples every request, 100 one in a hundred, by request number.
  ///   - redact: A closure that receives each truncated sample and returns the text to log.
  public init(
    requestBytes: Int = 1024, responseBytes: Int = 1024, oneIn period: Int = 1,
    redacting redact: @escaping @Sendable (_ text: String) -> String = { $0 }
  ) {
    self.requestBytes = max(0, requestBytes)
    self.responseBytes = max(0, responseBytes)
    self.period = UInt64(max(1, period))
    self.redact = redact
  }
}
