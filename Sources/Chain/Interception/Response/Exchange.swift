public import HTTPTypes

/// A report of how a response was obtained: attempts, redirects, cache and transport.
public struct Exchange: Sendable, Hashable {
  /// The number of attempts; 0 if nothing was sent.
  ///
  /// After redirects, those of the last request.
  public var attempts: Int
  /// How the cache was used; nil if the chain has none.
  public var cache: Exchange.CacheStatus?
  /// The redirects that were followed, in order; the last one has the URL of the response.
  public var redirects: [Exchange.Redirect]
  /// Why the request was not sent again; nil if the response is not one that is usually retried.
  public var retryRefusal: Exchange.RetryRefusal?
  /// The coding of the request's body, if an interceptor compressed it; nil if it was sent as it is.
  ///
  /// A server that doesn't know the coding may respond with a 400.
  public var requestCoding: ContentCoding?
  /// The transport's report; nil if no transport was used.
  public var transport: TransportReport?
  /// Whether the refused request had the credentials of an interceptor; nil if none has told, or the response
  /// is no refusal.
  package var credentialUse: Exchange.CredentialUse?

  /// Creates a report.
  public init(
    attempts: Int = 0, cache: Exchange.CacheStatus? = nil, redirects: [Exchange.Redirect] = [],
    retryRefusal: Exchange.RetryRefusal? = nil, requestCoding: ContentCoding? = nil,
    transport: TransportReport? = nil
  ) {
    self.attempts = attempts
    self.cache = cache
    self.redirects = redirects
    self.retryRefusal = retryRefusal
    self.requestCoding = requestCoding
    self.transport = transport
  }
}

extension Exchange {
  /// An exchange without the transport's report.
  package struct ChainReport: Sendable {
    package let attempts: Int
    package let cache: Exchange.CacheStatus?
    package let redirects: [Exchange.Redirect]
    package let retryRefusal: Exchange.RetryRefusal?
    package let requestCoding: ContentCoding?
  }
}

extension Exchange {
  /// A redirect that was followed: the status of the response, and the request to which it led.
  public struct Redirect: Sendable, Hashable {
    /// The status of the response that redirected.
    public let status: HTTPResponse.Status
    /// The method of the request that followed.
    public let method: HTTPRequest.Method
    /// The absolute URL of the request that followed, with its query and fragment.
    ///
    /// It may contain secrets, such as the code of an authorization response; ``description`` does not.
    public let url: String

    /// Creates a redirect.
    package init(status: HTTPResponse.Status, method: HTTPRequest.Method, url: String) {
      self.status = status
      self.method = method
      self.url = url
    }
  }
}

extension Exchange.Redirect: Concealed, CustomStringConvertible {
  /// The status, the method and the URL, without query and fragment.
  public var description: String {
    let shown = url.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
    return "\(status.code) \(method.rawValue) \(Substring(shown))"
  }
}

extension Exchange {
  /// Whether a request that the server refused had the credentials of an interceptor, and what to do.
  package indirect enum CredentialUse: Sendable, Hashable {
    /// It had them; with a remedy if the interceptor knows one.
    case sent(remedy: String?)
    /// It had none, for the reason that the text states with its remedy.
    case notSent(remedy: String)

    /// What to do: the end of a sentence, without its period.
    package var remedy: String? {
      switch self {
      case .sent(let remedy): remedy
      case .notSent(let remedy): remedy
      }
    }
  }
}

extension Exchange {
  /// Why a request was not sent again after an outcome that is usually retried.
  public struct RetryRefusal: Sendable, Hashable {
    package enum Reason: String, Sendable, CaseIterable {
      /// It was the last attempt.
      case noAttemptsLeft = "no_attempts_left"
      /// The server may have processed the request, and processing it twice is not safe.
      case notIdempotent = "not_idempotent"
      /// The request's body can be read only once.
      case bodyNotReplayable = "body_not_replayable"
      /// A part would be transferred again: the limit of the whole attempt ended a transfer that progressed,
      /// or more than 1 MiB of the response had been received.
      case partlyTransferred = "partly_transferred"
      /// The server asks for a longer wait than is allowed.
      case retryAfterTooLong = "retry_after_too_long"
      /// The wait would have exceeded the call's time limit.
      case noTimeLeft = "no_time_left"
      /// The origin has had as many retries as it may cost for now.
      case budgetSpent = "budget_spent"
      /// All requests to the origin are refused for now, because several in a row failed.
      case circuitOpen = "circuit_open"
    }

    package let reason: Reason

    /// A label for metrics and log lines, from a bounded set, such as `no_attempts_left`.
    public var label: String { reason.rawValue }

    package static let noAttemptsLeft = RetryRefusal(reason: .noAttemptsLeft)
    package static let notIdempotent = RetryRefusal(reason: .notIdempotent)
    package static let bodyNotReplayable = RetryRefusal(reason: .bodyNotReplayable)
    package static let partlyTransferred = RetryRefusal(reason: .partlyTransferred)
    package static let retryAfterTooLong = RetryRefusal(reason: .retryAfterTooLong)
    package static let noTimeLeft = RetryRefusal(reason: .noTimeLeft)
    package static let budgetSpent = RetryRefusal(reason: .budgetSpent)
    package static let circuitOpen = RetryRefusal(reason: .circuitOpen)

    package static let allCases = Reason.allCases.map { RetryRefusal(reason: $0) }
  }
}

extension Exchange {
  /// How a cache handled a request, in the terms of RFC 9211.
  public enum CacheStatus: Sendable, Hashable {
    /// Why a cache forwarded a request (RFC 9211, section 2.2).
    public enum ForwardReason: String, Sendable, Hashable {
      /// The cache was configured not to handle the request.
      case bypass
      /// The request's method requires that it reaches the server.
      case method
      /// No response is stored for the URI.
      case uriMiss = "uri-miss"
      /// Responses are stored for the URI, but none for these request header fields.
      case varyMiss = "vary-miss"
      /// The stored response is stale.
      case stale
      /// The request demanded a response from the server.
      case request
      /// Part of the response is stored, but not all that the request asks for.
      case partial
    }

    /// The response came from the cache and stays fresh for another `ttl` seconds; negative if it was stale.
    ///
    /// If `isHeuristic` is true, the response states no lifetime, and the cache has estimated it; see
    /// ``CacheRule/stated(limit:heuristicLimit:)``.
    case hit(ttl: Int64, isHeuristic: Bool = false)
    /// The request was forwarded to the server, and its response was stored or not.
    ///
    /// If `collapsed` is true, the response is the one to an identical request that was already in flight.
    case forwarded(ForwardReason, stored: Bool, collapsed: Bool = false)
    /// The server confirmed the stored response with a 304, which was stored or not.
    case revalidated(ForwardReason = .stale, stored: Bool = true)
    /// The server failed, with a status or without a response, and the response is a stored one that has
    /// been stale for `-ttl` seconds (RFC 5861, section 4).
    case staleOnError(ForwardReason = .stale, status: Int?, ttl: Int64)
    /// The request's `only-if-cached` forbade the cache to forward it, and nothing suitable is stored: the
    /// cache created a 504 (RFC 9111, section 5.2.1.7).
    case unsatisfied

    /// Whether the caller received the stored content.
    public var isHit: Bool {
      switch self {
      case .hit, .revalidated, .staleOnError: true
      case .forwarded, .unsatisfied: false
      }
    }
  }
}

extension Exchange.CacheStatus: CustomStringConvertible {
  /// The parameters of a `Cache-Status` member, such as "hit; ttl=54" or "fwd=uri-miss; stored".
  ///
  /// A hit by a heuristic lifetime has `detail=heuristic`.
  public var description: String {
    switch self {
    case .hit(let ttl, let isHeuristic): "hit; ttl=\(ttl)" + (isHeuristic ? "; detail=heuristic" : "")
    case .forwarded(let reason, let stored, let collapsed):
      "fwd=\(reason.rawValue)" + (stored ? "; stored" : "") + (collapsed ? "; collapsed" : "")
    case .revalidated(let reason, let stored):
      "fwd=\(reason.rawValue); fwd-status=304" + (stored ? "; stored" : "")
    case .staleOnError(let reason, let status, let ttl):
      "fwd=\(reason.rawValue)" + (status.map { "; fwd-status=\($0)" } ?? "") + "; ttl=\(ttl)"
    case .unsatisfied: "detail=only-if-cached"
    }
  }
}
