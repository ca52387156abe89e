package import HTTPTypes
package import Interception

/// What two requests must have in common to share a response, apart from the values of custom context keys.
///
/// Without a target of the owner's own, everything that an inner interceptor or the server may act on is
/// compared as it is, without decoding, sorting or hashing: the method, the target, the header fields, the
/// body's bytes, the options, the attempt, the identity, and the partition, API, cache rule, cache tags and
/// connect target of the context. Only the priority and the ignored header fields may differ. With one, such
/// as a cache's key, it is compared instead of the method, the target, the body, the attempt, the partition,
/// the API and the custom context values.
package struct FlightKey: Sendable {
  /// The request, whose values are compared, without its own call's time limit.
  package let request: Request
  /// The time limit of the call, in which requests must not differ.
  private let callLimit: Duration?
  /// Whether requests may differ in a header field.
  private let isIgnored: @Sendable (HTTPField.Name) -> Bool
  /// What the owner compares instead of the request's target, or nil.
  private let target: [UInt8]?
  /// A hash of the owner's target, or of the path, the authority and the partition, in which most requests
  /// differ.
  let digest: Int

  /// Creates the key of a request; nil if the request can't be shared.
  ///
  /// Only GET, HEAD and QUERY are shared, unless a property of the request forbids it
  /// (`RequestUses.sharing`).
  package init?(_ request: Request, ignoring isIgnored: @escaping @Sendable (HTTPField.Name) -> Bool) {
    let head = request.head
    guard head.method.isRetrieval, request.permits(.sharing) else { return nil }
    self.request = request.sharingCallLimit()
    callLimit = request.callLimit
    self.isIgnored = isIgnored
    target = nil
    var hasher = Hasher()
    hasher.combine(head.path)
    hasher.combine(head.authority)
    hasher.combine(request.context.partition)
    digest = hasher.finalize()
  }

  /// Creates the key of a request whose target its owner identifies; nil if a property of the request forbids
  /// to share it.
  ///
  /// - Parameters:
  ///   - target: Differs for requests that must not share a response, whatever else they have in common.
  ///   - digest: A hash of the target.
  package init?(
    _ request: Request, for target: [UInt8], digest: Int,
    ignoring isIgnored: @escaping @Sendable (HTTPField.Name) -> Bool
  ) {
    guard request.permits(.sharing) else { return nil }
    self.request = request.sharingCallLimit()
    callLimit = request.callLimit
    self.isIgnored = isIgnored
    self.target = target
    self.digest = digest
  }

  /// Whether the custom context values are the same as those of an equal key; nil if they must be compared.
  func hasSameCustomValues(as other: FlightKey) -> Bool? {
    guard target == nil else { return true }
    let hasValues = request.context.hasCustomValues
    guard hasValues == other.request.context.hasCustomValues else { return false }
    return hasValues ? nil : true
  }

  /// Moves the deadline that interceptors see to that of a request that waits for this one, if it is later.
  func extendDeadline(to other: FlightKey) {
    if let deadline = other.request.deadline { request.deadline?.extend(to: deadline) }
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
  package static func == (left: FlightKey, right: FlightKey) -> Bool {
    guard left.digest == right.digest, left.target == right.target else { return false }
    // The key of a flight is compared with itself when the flight ends.
    if left.request.isCopy(of: right.request) { return true }
    guard left.request.identity == right.request.identity, left.callLimit == right.callLimit else {
      return false
    }
    let (head, otherHead) = (left.request.head, right.request.head)
    guard left.target != nil || haveSameTarget(left.request, right.request),
      haveSameOptions(left.request, right.request),
      haveSameContext(left.request.context, right.request.context)
    else { return false }
    return head.headerFields.haveValues(of: otherHead.headerFields)
      || left.significantFields(of: head).haveValues(of: right.significantFields(of: otherHead))
  }

  private static func haveSameTarget(_ left: Request, _ right: Request) -> Bool {
    let (head, otherHead) = (left.head, right.head)
    return head.path == otherHead.path && head.authority == otherHead.authority
      && head.scheme == otherHead.scheme && head.method == otherHead.method
      && left.attempt == right.attempt && left.body.bytes == right.body.bytes
      && left.context.partition == right.context.partition && left.context.api == right.context.api
  }

  private static func haveSameOptions(_ left: Request, _ right: Request) -> Bool {
    var options = left.options
    options.priority = right.options.priority
    return options == right.options
  }

  private static func haveSameContext(_ left: RequestContext, _ right: RequestContext) -> Bool {
    // Checks of storage can't be compared; those of one API are the same.
    left.cacheRule == right.cacheRule && left.cacheTags == right.cacheTags
      && left.connectTarget == right.connectTarget
      && left.storageCheck?.isOfAPI ?? false == right.storageCheck?.isOfAPI ?? false
  }

  private func significantFields(of head: HTTPRequest) -> HTTPFields {
    var fields = HTTPFields()
    for field in head.headerFields where !isIgnored(field.name) { fields.append(field) }
    return fields
  }

  /// Hashes the digest.
  package func hash(into hasher: inout Hasher) { hasher.combine(digest) }
}
