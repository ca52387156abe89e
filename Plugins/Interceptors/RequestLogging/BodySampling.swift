/// How much of the bodies a log shows: nothing, unless one asks for it.
///
/// Only text is shown: `text/*`, JSON, XML, forms, JavaScript and GraphQL, and only where it isn't coded. The
/// values of a form are redacted as those of a query. Everything else in a body is shown as it is, passwords
/// too: hide them with `redacting`, and leave sampling off where users are real.
public struct BodySampling: Sendable {
  /// The most bytes of a request's body; only a body in memory is shown.
  public let requestBytes: Int
  /// The most bytes of an answer's body.
  public let answerBytes: Int
  /// One request in this many is sampled.
  public let period: UInt64
  let redact: @Sendable (String) -> String

  /// Nothing is shown.
  public static let none = BodySampling(requestBytes: 0, answerBytes: 0)

  /// Makes a sampling.
  ///
  /// - Parameters:
  ///   - requestBytes: The most bytes of a request's body.
  ///   - answerBytes: The most bytes of an answer's body.
  ///   - period: 1 samples every request, 100 one in a hundred, by the request's number.
  ///   - redact: Is handed a sample, cut to its length, and returns what may be shown of it.
  public init(
    requestBytes: Int = 1024, answerBytes: Int = 1024, oneIn period: Int = 1,
    redacting redact: @escaping @Sendable (_ text: String) -> String = { $0 }
  ) {
    self.requestBytes = max(0, requestBytes)
    self.answerBytes = max(0, answerBytes)
    self.period = UInt64(max(1, period))
    self.redact = redact
  }
}
