#if SQLite
import HTTPTypes
import Interception

extension Mutation {
  /// Header fields that carry credentials.
  private static let credentials: [HTTPField.Name] =
    [.authorization, .proxyAuthorization, .cookie]
    + ["X-API-Key", "X-Auth-Token"].compactMap { HTTPField.Name($0) }
  /// The maximum length of an ID or a resource, in bytes.
  private static let maximumNameLength = 256

  /// Throws unless a request can be stored; its body is not read.
  static func check(_ request: Request, resource: String, id: String) throws(MutationQueueError) {
    let head = request.head
    if let field = Self.credentials.first(where: { head.headerFields[$0] != nil }) {
      throw MutationQueueError(
        .invalidRequest,
        "The request for \"\(resource)\" has the field \(field.canonicalName), and credentials are not stored; "
          + "add them at delivery, with AuthorizationInterceptor or CookieInterceptor in the queue's pipeline."
      )
    }
    guard head.scheme != nil, let authority = head.authority, !authority.contains("@"), head.path != nil
    else {
      throw MutationQueueError(
        .invalidRequest,
        "The request for \"\(resource)\" needs a scheme, a path, and an authority without credentials.")
    }
    // The ID is sent as a quoted string (RFC 9651, section 3.3.3).
    let isName = { (text: String) in (1...Self.maximumNameLength).contains(text.utf8.count) }
    let isQuotable = id.utf8.allSatisfy { (0x20...0x7E).contains($0) && !"\"\\".utf8.contains($0) }
    guard isName(resource), isName(id), isQuotable else {
      throw MutationQueueError(
        .invalidRequest,
        "A resource and an idempotency key have 1 to \(Self.maximumNameLength) bytes, and a key consists of "
          + "visible ASCII characters without quotation marks and backslashes.")
    }
  }

  /// Creates a mutation from a request that was checked.
  init(_ request: Request, resource: String, id: String, body: [UInt8], time: WallTime) {
    self.id = id
    self.resource = resource
    head = request.head
    self.body = body
    self.time = time
    api = request.context.api
    partition = request.context.partition
  }

  /// Whether another mutation would send the same request on behalf of the same account.
  func isSameRequest(as other: Mutation) -> Bool {
    resource == other.resource && head == other.head && body == other.body && api == other.api
      && partition == other.partition
  }

  /// The line in which the mutation waits.
  var key: MutationLines.Key { MutationLines.Key(partition: partition, resource: resource) }
}
#endif
