public import HTTPTypes
import Synchronization

/// A request that is sent through the chain: head, body, options and context.
///
/// A request is a value with copy-on-write storage: an interceptor's changes are visible only to the steps
/// after it. Passing a request costs one retain, and the first change of a shared request copies its storage.
public struct Request: Sendable, Identifiable {
  private var parts: Parts

  /// The request's ID, unique in the process; copies keep it.
  public var id: RequestID { parts.id }

  /// The method, scheme, authority, path and header fields.
  ///
  /// swift-http-types replaces a line break or a null byte in a field value with a space when the value is
  /// set, so that no later check can detect it. Check outside input with `HTTPField.isValidValue(_:)` before
  /// using it as a value. Validation and dispatchers refuse a space in an authority or a path.
  public var head: HTTPRequest {
    get { parts.head }
    _modify {
      makeUnique()
      yield &parts.head
    }
  }

  /// The content.
  public var body: RequestBody {
    get { parts.body }
    _modify {
      makeUnique()
      yield &parts.body
    }
  }

  /// The fields that follow the content; nil, the default, sends none.
  ///
  /// Sending them without content fails with ``NetworkError/Kind/invalidRequest``.
  public var trailers: RequestTrailers? {
    get { parts.trailers }
    _modify {
      makeUnique()
      yield &parts.trailers
    }
  }

  /// The time limits, priority, delivery and accepted codings.
  public var options: RequestOptions {
    get { parts.options }
    _modify {
      makeUnique()
      yield &parts.options
    }
  }

  /// Typed values that interceptors share.
  public var context: RequestContext {
    get { parts.context }
    _modify {
      makeUnique()
      yield &parts.context
    }
  }

  /// The context's credential fields, without copying the context.
  package var credentialFields: CredentialFields { parts.context.credentialFields }

  /// The context's connect target, without copying the context.
  package var connectTarget: ConnectTarget? { parts.context.connectTarget }

  /// The context's entry in a race for a connection, without copying the context.
  package var raceEntry: ConnectRace.Entry? { parts.context.raceEntry }

  /// The port of HTTP/3 by an HTTPS record, without copying the context.
  package var http3RecordPort: Int? { parts.context.http3RecordPort }

  /// Whether fields follow the content, without copying them.
  package var hasTrailers: Bool { parts.trailers != nil }

  /// Whether the server is asked to switch to another protocol, without copying the context.
  package var asksForUpgrade: Bool { parts.context.upgrade != nil }

  /// The context's API, without copying the context.
  package var api: APIIdentity? { parts.context.api }

  /// The end of the call, if it is limited, without copying the context.
  package var deadline: CallDeadline? { parts.context.deadline }

  /// The limit of the whole call, without copying the options.
  package var callLimit: Duration? { parts.options.timeouts.call }

  /// How the response's body is delivered, without copying the options.
  package var delivery: RequestOptions.Delivery { parts.options.delivery }

  /// Whether both are copies of one request, and therefore equal.
  package func isCopy(of other: Request) -> Bool { parts === other.parts }

  /// What interceptors do when the request leaves the device, the outermost first.
  var departures: [Departure] {
    get { parts.departures }
    _modify {
      makeUnique()
      yield &parts.departures
    }
  }

  /// The identity that the request is sent for; nil if no interceptor has set one.
  package internal(set) var identity: Identity? {
    get { parts.identity }
    _modify {
      makeUnique()
      yield &parts.identity
    }
  }

  /// The number of this attempt, counted from 1.
  public var attempt: Int { parts.attempt }

  /// Creates a request with a new ID.
  public init(
    _ head: HTTPRequest, body: RequestBody = .empty, options: RequestOptions = RequestOptions(),
    context: RequestContext = RequestContext()
  ) {
    parts = Parts(id: RequestID.next(), head: head, body: body, options: options, context: context)
  }

  /// Creates a request from its parts; `path` may include a query.
  public init(
    method: HTTPRequest.Method = .get, scheme: String = "https", authority: String, path: String,
    headerFields: HTTPFields = [:], body: RequestBody = .empty
  ) {
    self.init(
      HTTPRequest(
        method: method, scheme: scheme, authority: authority, path: path, headerFields: headerFields),
      body: body)
  }

  /// Returns the request as attempt number `attempt`, without the context values of the previous attempt.
  public func asAttempt(_ attempt: Int) -> Request {
    var copy = self
    copy.makeUnique()
    copy.parts.attempt = attempt
    copy.parts.context.removeAttemptValues()
    return copy
  }

  /// Returns the request without its call's time limit, for work that outlives the call.
  package func withoutCallLimit() -> Request {
    guard callLimit != nil || deadline != nil else { return self }
    var copy = self
    copy.options.timeouts.call = nil
    copy.context.deadline = nil
    return copy
  }

  /// The request, without what may keep much memory or a file: a large body, and the closure of trailers.
  var withoutLargeParts: Request {
    let isSmall = parts.body.bytes.map { $0.count <= 16 << 10 } ?? false
    if isSmall, !hasTrailers { return self }
    var copy = self
    if !isSmall { copy.body = .empty }
    copy.trailers = nil
    return copy
  }

  /// Returns the request for several calls that wait for it, each up to its own time limit.
  package func sharingCallLimit() -> Request {
    guard let deadline else { return withoutCallLimit() }
    var copy = withoutCallLimit()
    copy.context.deadline = CallDeadline(sharing: deadline)
    return copy
  }

  private mutating func makeUnique() {
    if !isKnownUniquelyReferenced(&parts) { parts = Parts(parts) }
  }
}

extension Request {
  // Parts are modified only by a request that holds the sole reference, so no other thread observes a change.
  fileprivate final class Parts: @unchecked Sendable {
    let id: RequestID
    // The compiler already checks exclusivity on the request that holds the parts; checking it again at run
    // time would cost more than the access itself.
    @exclusivity(unchecked) var head: HTTPRequest
    @exclusivity(unchecked) var body: RequestBody
    @exclusivity(unchecked) var trailers: RequestTrailers?
    @exclusivity(unchecked) var options: RequestOptions
    @exclusivity(unchecked) var context: RequestContext
    @exclusivity(unchecked) var attempt = 1
    @exclusivity(unchecked) var departures: [Departure] = []
    @exclusivity(unchecked) var identity: Identity?

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
      trailers = other.trailers
      options = other.options
      context = other.context
      attempt = other.attempt
      departures = other.departures
      identity = other.identity
    }
  }
}

extension HTTPRequest.Method {
  /// Whether the method asks for a representation that caches and other callers can share: GET, HEAD or
  /// QUERY.
  package var isRetrieval: Bool {
    switch rawValue {
    case "GET", "HEAD", "QUERY": true
    default: false
    }
  }

  /// Whether the method is safe (RFC 9110, section 9.2.1; for QUERY, draft-ietf-httpbis-safe-method-w-body).
  package var isSafe: Bool { isRetrieval || self == .options || self == .trace }

  /// Whether processing a request with the method twice has the same effect as processing it once (RFC 9110,
  /// section 9.2.2): all safe methods, PUT and DELETE.
  package var isIdempotent: Bool { isSafe || self == .put || self == .delete }
}
