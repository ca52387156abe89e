import HTTPTypes

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
    /// Case, a dot at the end of the host, and the default port of http and https are ignored. A text that is
    /// no authority, such as a pattern, contains no request, and a pipeline refuses it.
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
    package func intersection(_ other: Scope) -> Scope { Scope(rule: .intersection(rule, other.rule)) }

    /// Returns whether a request belongs to the scope.
    package func contains(_ request: Request) -> Bool { rule.contains(request) }
  }
}

extension Request.Scope.Rule {
  /// The texts that were given as authorities, and are none.
  var malformedAuthorities: [String] {
    switch self {
    case .authority(let rule): rule.malformed.map { [$0] } ?? []
    case .union(let left, let right), .intersection(let left, let right):
      left.malformedAuthorities + right.malformedAuthorities
    case .service, .api, .predicate: []
    }
  }

  /// Whether the scope depends on the authority only.
  var isOfAuthorities: Bool {
    switch self {
    case .authority: true
    case .service, .api, .predicate: false
    case .union(let left, let right), .intersection(let left, let right):
      left.isOfAuthorities && right.isOfAuthorities
    }
  }

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

extension Request.Scope {
  /// Returns whether the scopes certainly have requests in common, because they name the same service, API or
  /// authority.
  ///
  /// Scopes of different kinds and predicates may overlap, too, which only the requests show.
  func certainlyOverlaps(_ other: Request.Scope) -> Bool {
    rule.members.contains { member in other.rule.members.contains { $0.certainlyOverlaps(member) } }
  }
}

extension Request.Scope.Rule {
  /// The rules that a union consists of.
  fileprivate var members: [Self] {
    if case .union(let left, let right) = self { left.members + right.members } else { [self] }
  }

  fileprivate func certainlyOverlaps(_ other: Self) -> Bool {
    switch (self, other) {
    case (.service(let name), .service(let otherName)): name == otherName
    case (.service(let name), .api(let api)), (.api(let api), .service(let name)): api.service == name
    case (.api(let api), .api(let otherAPI)): api == otherAPI
    case (.authority(let rule), .authority(let otherRule)): rule == otherRule
    default: false
    }
  }
}

/// The requests to one authority, without regard to case, a dot at the end of the host, or the default port
/// of http and https.
struct AuthorityRule: Sendable, Hashable {
  /// The authority in the form in which authorities are compared.
  private let authority: String
  /// The authority without the default port of https, if it states it.
  private let secureHost: Substring?
  /// The authority without the default port of http, if it states it.
  private let plainHost: Substring?

  /// The text, if it is no authority that a request can have; nil if it is one.
  let malformed: String?

  init(_ authority: String) {
    malformed = Self.isAuthority(authority) ? nil : authority
    let authority = AuthoritySyntax.comparable(authority: authority)
    self.authority = authority
    secureHost = Self.host(of: authority[...], without: ":443")
    plainHost = Self.host(of: authority[...], without: ":80")
  }

  func contains(_ request: Request) -> Bool {
    let head = request.head
    guard let other = head.authority else { return false }
    // Nearly all authorities are in lower case and don't state a default port.
    return other == authority
      || matches(AuthoritySyntax.comparable(authority: other), scheme: head.scheme?.lowercased())
  }

  private static func isAuthority(_ text: String) -> Bool {
    let bytes = text.utf8
    let hostStart = bytes.lastIndex(of: UInt8(ascii: "]")) ?? bytes.startIndex
    guard let colon = bytes[hostStart...].lastIndex(of: UInt8(ascii: ":")) else {
      return AuthoritySyntax.isHost(text)
    }
    return AuthoritySyntax.isHost(text[..<colon])
      && AuthoritySyntax.port(text[bytes.index(after: colon)...]) != nil
  }

  private func matches(_ other: String, scheme: String?) -> Bool {
    guard other != authority else { return true }
    switch scheme {
    case "https": return same(secureHost, Self.host(of: other[...], without: ":443"), other)
    case "http": return same(plainHost, Self.host(of: other[...], without: ":80"), other)
    default: return false
    }
  }

  private func same(_ host: Substring?, _ otherHost: Substring?, _ other: String) -> Bool {
    (host ?? authority[...]) == (otherHost ?? other[...])
  }

  private static func host(of authority: Substring, without port: String) -> Substring? {
    authority.hasSuffix(port) ? authority.dropLast(port.count) : nil
  }
}
