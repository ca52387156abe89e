public import HTTPTypes

/// One request on its way through the chain: head, body, options and context.
///
/// A request is a value: what an interceptor changes is seen further in, never further out.
public struct Request: Sendable, Identifiable {
  /// The identity, unique in the process; copies keep it.
  public let id: RequestID
  /// Method, scheme, authority, path and header fields.
  public var head: HTTPRequest
  /// The content, which says whether it can be sent again.
  public var body: RequestBody
  /// Time limits, priority, delivery and the redirect rule.
  public var options: RequestOptions
  /// Typed values that interceptors leave for one another.
  public var context: RequestContext
  /// The number of this attempt, counted from 1.
  public private(set) var attempt = 1

  /// Makes a request with an identity of its own.
  public init(
    _ head: HTTPRequest, body: RequestBody = .empty, options: RequestOptions = RequestOptions(),
    context: RequestContext = RequestContext()
  ) {
    self.id = RequestID.next()
    self.head = head
    self.body = body
    self.options = options
    self.context = context
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
    copy.attempt = attempt
    copy.context.removeAttemptValues()
    return copy
  }
}
