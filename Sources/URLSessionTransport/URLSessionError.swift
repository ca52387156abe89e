/// What the URL loading system said when a transfer failed; it is the `underlying` error of the dispatcher's
/// errors.
public struct URLSessionError: Error, Sendable, Hashable {
  /// The number of Foundation's `NSURLError` constant, such as -1004.
  public let code: Int
  /// Foundation's words.
  ///
  /// They may name hosts, addresses and parts of the answer's framing, never a request's content. The
  /// error that Foundation threw is not kept, since it holds the whole URL.
  public let detail: String

  init(code: Int, detail: String) {
    self.code = code
    self.detail = detail
  }
}

extension URLSessionError: CustomStringConvertible {
  /// The code and what Foundation said.
  public var description: String { "NSURLError \(code): \(detail)" }
}
