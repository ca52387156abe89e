import HTTPTypes
import Interception

/// What two requests must have in common to share a response, apart from the values of custom context keys.
///
/// Everything that an inner interceptor or the server may act on is compared as it is, without decoding,
/// sorting or hashing: the method, the target, the header fields, the body's bytes, the options, the attempt,
/// and the partition, API, cache rule and connect target of the context. Only the priority and the ignored
/// header fields may differ.
struct FlightKey: Sendable {
  /// The request, whose values are compared.
  let request: Request
  /// The names of header fields that may differ.
  private let ignored: [HTTPField.Name]
  private let digest: Int

  /// Creates the key of a request; nil if the request can't be shared.
  ///
  /// GET and HEAD are safe by RFC 9110, section 9.2.1, and QUERY is by definition. A response that is
  /// streamed has a single reader, and a body that is not in memory can't be compared.
  init?(_ request: Request, ignoring ignored: [HTTPField.Name]) {
    let head = request.head
    switch head.method.rawValue {
    case "GET", "HEAD", "QUERY": break
    default: return nil
    }
    guard case .buffered = request.delivery, request.body.bytes != nil else { return nil }
    let context = request.context
    guard context.allowsSharing else { return nil }
    self.request = request
    self.ignored = ignored
    var hasher = Hasher()
    hasher.combine(head.path)
    hasher.combine(head.authority)
    hasher.combine(context.partition)
    digest = hasher.finalize()
  }

  /// The priority among requests that wait for the same connections.
  var priority: RequestOptions.Priority { request.options.priority }

  /// The maximum length of the response's body, in bytes.
  var responseLimit: Int {
    if case .buffered(let limit) = request.delivery { limit } else { 0 }
  }
}

extension FlightKey: Hashable {
  /// Whether the requests can share a response if the values of their custom context keys are the same.
  static func == (left: FlightKey, right: FlightKey) -> Bool {
    guard left.digest == right.digest else { return false }
    // The key of a flight is compared with itself when the flight ends.
    if left.request.isCopy(of: right.request) { return true }
    let (head, otherHead) = (left.request.head, right.request.head)
    guard head.path == otherHead.path, head.authority == otherHead.authority,
      head.scheme == otherHead.scheme, head.method == otherHead.method,
      left.request.attempt == right.request.attempt, left.request.body.bytes == right.request.body.bytes,
      haveSameOptions(left.request, right.request),
      haveSameContext(left.request.context, right.request.context)
    else { return false }
    return head.headerFields == otherHead.headerFields
      || left.significantFields(of: head) == right.significantFields(of: otherHead)
  }

  private static func haveSameOptions(_ left: Request, _ right: Request) -> Bool {
    var options = left.options
    options.priority = right.options.priority
    return options == right.options
  }

  private static func haveSameContext(_ left: RequestContext, _ right: RequestContext) -> Bool {
    // Checks of storage can't be compared; those of one API are the same.
    left.partition == right.partition && left.api == right.api && left.cacheRule == right.cacheRule
      && left.connectTarget == right.connectTarget
      && (left.storageCheck == nil) == (right.storageCheck == nil)
  }

  private func significantFields(of head: HTTPRequest) -> HTTPFields {
    var fields = HTTPFields()
    for field in head.headerFields where !ignored.contains(field.name) { fields.append(field) }
    return fields
  }

  /// Hashes the path, the authority and the partition, in which most requests differ.
  func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
