public import HTTPTypes

extension Request {
  /// The parts of a request that may be shown: no header fields, query, body or user name.
  public struct Summary: Sendable, Hashable {
    /// The method.
    public let method: HTTPRequest.Method
    /// The scheme, in lowercase.
    public let scheme: String
    /// The host and port.
    public let authority: String
    /// The path without its query.
    public let path: String
    /// The API that is called, if known.
    public let api: APIIdentity?
    /// The partition of its responses, which can name an account and is not part of a log.
    package let partition: String

    /// Creates a summary of a request.
    public init(_ request: Request) {
      // Read once, because reading it copies it.
      let head = request.head
      method = head.method
      scheme = head.scheme?.lowercased() ?? ""
      let authority = head.authority ?? ""
      let hostStart = authority.utf8.lastIndex(of: UInt8(ascii: "@")).map(authority.utf8.index(after:))
      self.authority = hostStart.map { String(authority[$0...]) } ?? authority
      let path = head.path ?? ""
      self.path = path.utf8.firstIndex(of: UInt8(ascii: "?")).map { String(path[..<$0]) } ?? path
      api = request.api
      partition = request.context.partition
    }
  }
}
