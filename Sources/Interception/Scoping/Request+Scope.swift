extension Request {
  /// A set of requests, by service, API, authority or a predicate.
  ///
  /// ```swift
  /// let scope = Request.Scope.service("estate").union(.authority("media.example"))
  /// let signing = SigningInterceptor(key: key).only(for: scope)
  /// ```
  public struct Scope: Sendable {
    indirect enum Rule: Sendable {
      case service(String)
      case api(APIIdentity)
      case authority(AuthorityRule)
      case predicate(@Sendable (Request) -> Bool)
      case union(Rule, Rule)
      case intersection(Rule, Rule)
    }

    let rule: Rule

    /// The requests of the APIs of a service, by `RequestContext.api`.
    public static func service(_ name: String) -> Scope { Scope(rule: .service(name)) }

    /// The requests of one API, by `RequestContext.api`.
    public static func api(_ api: APIIdentity) -> Scope { Scope(rule: .api(api)) }

    /// The requests whose URL has an authority, such as "api.example" or "api.example:8443".
    ///
    /// Case is ignored, as is the default port of http and https.
    public static func authority(_ authority: String) -> Scope {
      Scope(rule: .authority(AuthorityRule(authority)))
    }

    /// The requests for which a predicate is true.
    ///
    /// The predicate is called for each request, possibly repeatedly and concurrently, so it must be fast.
    public static func `where`(_ predicate: @escaping @Sendable (Request) -> Bool) -> Scope {
      Scope(rule: .predicate(predicate))
    }

    /// Returns the requests of either scope.
    public func union(_ other: Scope) -> Scope { Scope(rule: .union(rule, other.rule)) }

    /// Returns the requests of both scopes.
    public func intersection(_ other: Scope) -> Scope { Scope(rule: .intersection(rule, other.rule)) }

    /// Returns whether a request belongs to the scope.
    public func contains(_ request: Request) -> Bool { rule.contains(request) }
  }
}

extension Request.Scope.Rule {
  func contains(_ request: Request) -> Bool {
    switch self {
    case .service(let name): request.api?.service == name
    case .api(let api): request.api == api
    case .authority(let rule): rule.contains(request)
    case .predicate(let predicate): predicate(request)
    case .union(let left, let right): left.contains(request) || right.contains(request)
    case .intersection(let left, let right): left.contains(request) && right.contains(request)
    }
  }
}
