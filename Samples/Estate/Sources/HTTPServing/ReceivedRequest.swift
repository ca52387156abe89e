package import HTTPTypes

package struct ReceivedRequest: Sendable, Hashable {
  /// The method, the scheme, the authority, the path with its raw query, and the fields.
  package var head: HTTPRequest
  package var body: [UInt8]

  package init(head: HTTPRequest, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  /// The path without its query, percent-encoded as it was sent.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The raw query, or `nil` if the target has none.
  package var query: Substring? {
    target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
  }

  private var target: String { head.path ?? "/" }
}
