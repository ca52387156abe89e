public import HTTPTypes

/// What of a request may be shown: no header field, no query, no body, no user name.
public struct RequestSummary: Sendable, Hashable {
  /// The method.
  public let method: HTTPRequest.Method
  /// The scheme, in lower case.
  public let scheme: String
  /// Host and port.
  public let authority: String
  /// The path without its query.
  public let path: String
  /// The API that is called, where it is known.
  public let api: APIIdentity?

  /// Takes from a request what may be shown.
  public init(_ request: Request) {
    method = request.head.method
    scheme = request.head.scheme?.lowercased() ?? ""
    let authority = request.head.authority ?? ""
    self.authority = authority.split(separator: "@").last.map(String.init) ?? ""
    let path = request.head.path ?? ""
    self.path =
      path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init) ?? ""
    api = request.context.api
  }
}
