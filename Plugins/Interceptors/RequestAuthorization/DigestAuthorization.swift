import Cryptography
import HTTPTypes
public import Interception
import Synchronization

/// A password that is never sent: each request has a hash of it and of the server's nonce (RFC 7616).
///
/// The first request to an origin is sent without credentials; the challenge in its refusal determines the
/// hash, and later requests reuse the nonce without being refused. Of several challenges the strongest is
/// chosen: SHA-512-256, then SHA-512, which isn't registered, SHA-256 and MD5, each also as `-sess`. Without
/// `qop`, or if it has no known option, the response is that of RFC 2069.
///
/// The protection is `auth`; `auth-int`, which covers the body, is used if the server offers nothing else and
/// the body is in memory, which is then sent without a content coding. A challenge that can't be met is
/// returned as it is. The fields `Authentication-Info` are ignored.
///
/// Use it where a server requires it. Over TLS a token is simpler, and can be revoked.
///
/// ```swift
/// let camera = try DigestAuthorization(user: "viewer", password: "open sesame")
/// let interceptor = try AuthorizationInterceptor(camera, for: ["http://192.0.2.7"])
/// ```
public final class DigestAuthorization: AuthorizationScheme {
  private let user: String
  private let password: Secret
  private let identity: Request.Identity
  private let makeNonce: @Sendable () -> String?
  private let sessions = Mutex(DigestSessions())

  /// Creates the scheme for a user; both texts are hashed in UTF-8.
  ///
  /// - Parameters:
  ///   - user: The user name.
  ///   - password: The password.
  ///   - account: The name of the account, so that its stored responses and cookies outlive the process; nil
  ///     if the app has none for it. Don't pass a user name that is a secret, such as an API's key, or that
  ///     several accounts have.
  /// - Throws: ``AuthorizationError`` if the user name contains a colon, or one of
  ///   both a control character.
  public convenience init(
    user: String, password: String, account: String? = nil
  ) throws(AuthorizationError) {
    try self.init(user: user, password: password, account: account) {
      RandomWords.draw(2).map { Hexadecimal.encode($0[0], $0[1]) }
    }
  }

  /// Creates the scheme with a source of client nonces.
  init(
    user: String, password: String, account: String? = nil, nonces: @escaping @Sendable () -> String?
  ) throws(AuthorizationError) {
    try PasswordSyntax.check(user: user, password: password)
    self.user = user
    identity = account.map { .account($0) } ?? .unnamed()
    self.password = Secret(password)
    makeNonce = nonces
  }

  /// The login of the scheme.
  public func identity(for request: Request) -> Request.Identity? { identity }

  /// Returns credentials with the nonce of the origin's last challenge; nil before the first one.
  public func credentials(for request: Request) async throws -> Credentials? {
    guard let session = sessions.withLock({ $0.next(of: Self.origin(of: request)) }) else { return nil }
    return try credentials(for: request, in: session)
  }

  /// Whether the refusal has a new challenge that the request can meet.
  ///
  /// The same nonce again means that the user name or the password is wrong, unless it is marked as stale.
  public func canRenewCredentials(for request: Request, after refusal: Refusal) -> Bool {
    guard let challenge = DigestChallenge.strongest(of: refusal.challenges) else { return false }
    if challenge.protection == .authInt, request.body.bytes == nil { return false }
    guard let sent = refusal.sent, !challenge.isStale else { return true }
    let used = Challenge.list([sent.field]).first?.parameters["nonce"]
    return used != challenge.nonce
  }

  /// Returns credentials for the refusal's challenge.
  public func renewedCredentials(for request: Request, after refusal: Refusal) async throws -> Credentials {
    let origin = Self.origin(of: request)
    guard let challenge = DigestChallenge.strongest(of: refusal.challenges) else {
      throw AuthorizationError(.needsLogin)
    }
    guard let clientNonce = makeNonce() else {
      throw AuthorizationError(.hashUnavailable("a random client nonce"))
    }
    let session = sessions.withLock { sessions in
      sessions.begin(challenge, of: origin, clientNonce: clientNonce)
      return sessions.next(of: origin)
    }
    guard let session, let credentials = try credentials(for: request, in: session) else {
      throw AuthorizationError(.needsLogin)
    }
    return credentials
  }

  private func credentials(
    for request: Request, in session: DigestSessions.Session
  ) throws(AuthorizationError) -> Credentials? {
    var body: [UInt8] = []
    if session.challenge.protection == .authInt {
      guard let bytes = request.body.bytes else { return nil }
      body = bytes
    }
    let response = DigestResponse(
      challenge: session.challenge, user: user, password: password, method: request.head.method.rawValue,
      uri: request.head.path ?? "/", body: body, count: session.count, clientNonce: session.clientNonce)
    do {
      return Credentials(field: try response.field())
    } catch {
      throw AuthorizationError(.hashUnavailable(error.operation))
    }
  }

  private static func origin(of request: Request) -> String {
    "\(request.head.scheme ?? "")://\((request.head.authority ?? "").lowercased())"
  }
}

/// The challenges in use, by origin, and how often each nonce was used.
///
/// A pure value. Beyond `capacity` origins another one's session is removed, which costs it one refusal.
struct DigestSessions: Sendable {
  /// A challenge and the number of requests that used its nonce.
  struct Session: Sendable, Hashable {
    let challenge: DigestChallenge
    // One client nonce for all requests of a nonce: servers differ in whether the session variant's key has
    // that of the first request or of each.
    let clientNonce: String
    var count: UInt32 = 0
  }

  private let capacity: Int
  private var sessions: [String: Session]

  init(_ sessions: [String: Session] = [:], capacity: Int = 64) {
    self.sessions = sessions
    self.capacity = max(1, capacity)
  }

  var origins: Set<String> { Set(sessions.keys) }

  /// Returns the session of an origin with its next count; nil if there is none or its counter has ended.
  mutating func next(of origin: String) -> Session? {
    guard let session = sessions[origin], session.count < .max else {
      sessions[origin] = nil
      return nil
    }
    sessions[origin]?.count = session.count + 1
    return sessions[origin]
  }

  /// Starts a session with a challenge, unless the origin's session has its nonce already.
  ///
  /// Requests that were refused at the same time then share a session, whose counts must not repeat.
  mutating func begin(_ challenge: DigestChallenge, of origin: String, clientNonce: String) {
    if let known = sessions[origin], known.challenge.nonce == challenge.nonce { return }
    if sessions[origin] == nil, sessions.count >= capacity, let other = sessions.keys.first {
      sessions[other] = nil
    }
    sessions[origin] = Session(challenge: challenge, clientNonce: clientNonce)
  }
}
