public import HTTPTypes

/// The parts of a request that a signature can cover, as the server received them.
public struct ReceivedRequest: Sendable {
  /// The method, the scheme, the authority, the path with its raw query, and the fields.
  public let head: HTTPRequest
  /// The body without its content coding.
  public let body: [UInt8]

  /// A request for a verifier.
  public init(head: HTTPRequest, body: [UInt8]) {
    self.head = head
    self.body = body
  }
}
