public import HTTPTypes

/// A request as a server received it.
public struct ReceivedRequest: Sendable, Hashable {
  /// The method, the scheme, the authority, the path with its raw query, and the fields.
  public var head: HTTPRequest
  /// The body.
  public var body: [UInt8]

  /// Creates a request.
  public init(head: HTTPRequest, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  /// The path without its query, percent-encoded as it was sent.
  public var path: Substring { target.prefix { $0 != "?" } }

  /// The raw query, or `nil` if the target has none.
  public var query: Substring? {
    target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
  }

  private var target: String { head.path ?? "/" }
}
