public import HTTPTypes

/// One request on its way through the chain: head, body, options and context.
///
/// A request is a value: what an interceptor changes is seen further in, never further out. Handing it on
/// costs a reference; the first change of a shared one copies its parts, once.
public struct Request: Sendable, Identifiable {
  private var parts: Parts

  /// The identity, unique in the process; copies keep it.
  public var id: RequestID { parts.id }

  /// Method, scheme, authority, path and header fields.
  ///
  /// swift-http-types replaces a line break or a zero byte in a field's value by a space when the value is set, so that
  /// nothing behind it can refuse the value. Check text that comes from outside with
  /// `HTTPField.isValidValue(_:)` before it becomes a value. In an authority or a path the space is refused
  /// by validation and by dispatchers.
  public var head: HTTPRequest {
    get { parts.head }
    _modify {
      makeUnique()
      yield &parts.head
    }
  }

  /// The content, which says whether it can be sent again.
  public var body: RequestBody {
    get { parts.body }
    _modify {
      makeUnique()
      yield &parts.body
    }
  }

  /// Time limits, priority, delivery and the redirect rule.
  public var options: RequestOptions {
    get { parts.options }
    _modify {
      makeUnique()
      yield &parts.options
    }
  }

  /// Typed values that interceptors leave for one another.
  public var context: RequestContext {
    get { parts.context }
    _modify {
      makeUnique()
      yield &parts.context
    }
  }

  /// Where to connect, as the context says; the context itself is not copied.
  package var connectTarget: ConnectTarget? { parts.context.connectTarget }

  /// The number of this attempt, counted from 1.
  public var attempt: Int { parts.attempt }

  /// Makes a request with an identity of its own.
  public init(
    _ head: HTTPRequest, body: RequestBody = .empty, options: RequestOptions = RequestOptions(),
    context: RequestContext = RequestContext()
  ) {
    parts = Parts(id: RequestID.next(), head: head, body: body, options: options, context: context)
  }

  /// Makes a GET, or another method, of its parts; `path` may carry a query.
  public init(
    method: HTTPRequest.Method = .get, scheme: String = "https", authority: String, path: String,
    headerFields: HTTPFields = [:], body: RequestBody = .empty
  ) {
    self.init(
      HTTPRequest(
        method: method, scheme: scheme, authority: authority, path: path, headerFields: headerFields),
      body: body)
  }

  /// Returns the request as its attempt number `attempt`: context values that live for one attempt are gone.
  public func asAttempt(_ attempt: Int) -> Request {
    var copy = self
    copy.makeUnique()
    copy.parts.attempt = attempt
    copy.parts.context.removeAttemptValues()
    return copy
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&parts) { parts = Parts(parts) }
  }
}

extension Request {
  // Parts are changed only by a request that alone refers to them, so no other thread sees a change.
  fileprivate final class Parts: @unchecked Sendable {
    let id: RequestID
    // That accesses don't overlap, the compiler sees to at the request that holds the parts; to watch it
    // again at run time would cost more than the access.
    @exclusivity(unchecked) var head: HTTPRequest
    @exclusivity(unchecked) var body: RequestBody
    @exclusivity(unchecked) var options: RequestOptions
    @exclusivity(unchecked) var context: RequestContext
    @exclusivity(unchecked) var attempt = 1

    init(
      id: RequestID, head: HTTPRequest, body: RequestBody, options: RequestOptions, context: RequestContext
    ) {
      self.id = id
      self.head = head
      self.body = body
      self.options = options
      self.context = context
    }

    init(_ other: Parts) {
      id = other.id
      head = other.head
      body = other.body
      options = other.options
      context = other.context
      attempt = other.attempt
    }
  }
}
