/// What libcurl said when a transfer failed; it is the `underlying` error of the dispatcher's errors.
public struct CurlError: Error, Sendable, Hashable {
  /// The number of libcurl's `CURLcode`.
  public let code: Int
  /// libcurl's constant sentence for the code.
  public let summary: String
  /// libcurl's words for this very failure; empty when it had none.
  ///
  /// They may name hosts, addresses and parts of the answer's framing, never a request's content.
  public let detail: String

  init(code: Int, summary: String, detail: String = "") {
    self.code = code
    self.summary = summary
    self.detail = detail
  }
}

extension CurlError: CustomStringConvertible {
  /// The code and what libcurl said.
  public var description: String { "curl \(code): \(detail.isEmpty ? summary : detail)" }
}
