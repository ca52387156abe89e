public import Interception

/// The URL loading system's description of a failure; the `underlying` error of the dispatcher's errors.
public struct URLSessionError: Error, LoggableError, Sendable, Hashable {
  /// The value of Foundation's `NSURLError` constant, such as -1004.
  package let code: Int
  /// Foundation's message.
  ///
  /// It can contain hosts, addresses and framing of the response, but never the content of a request.
  /// Foundation's error itself is discarded, because it contains the whole URL.
  package let detail: String

  init(code: Int, detail: String) {
    self.code = code
    self.detail = detail
  }
}

extension URLSessionError: CustomStringConvertible {
  /// The code and the message.
  public var description: String { "NSURLError \(code): \(detail)" }
}
