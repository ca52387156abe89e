import Cryptography
import HTTPTypes
public import Interception

/// Obtains tokens from the token endpoint of OAuth 2 (RFC 6749).
///
/// It supports the grants of client credentials (section 4.4) and of refresh tokens (section 6). The request
/// is sent once, at high priority, by the dispatcher given here. Use the transport itself: a pipeline with
/// logging of bodies would log tokens. No redirect is followed, not even in a pipeline that follows them: the
/// client's secret and the refresh token reach no other server, and no token of another one is accepted.
///
/// A response of more than 64 KiB, garbage, or an error, whatever its status, is an ``AuthorizationError``; a
/// refresh token that is no longer valid is ``AuthorizationError/needsLogin``.
public struct OAuthTokenSource: TokenSource {
  /// How the app proves that it may have a token.
  public enum Grant: Sendable, Hashable {
    /// By the client's id and secret alone, for a service without users.
    case clientCredentials
    /// By the refresh token of the previous token, which a login gave to the app.
    case refreshToken
  }

  /// The maximum size of a response.
  static let bodyLimit = 64 << 10

  private let endpoint: TokenEndpoint
  private let client: OAuthClient
  private let grant: Grant
  private let scope: String?
  private let dispatcher: any Dispatcher
  private let timeLimit: Duration
  private let time: TimeSource
  /// The client's id and secret in the Authorization field; nil if they are sent in the form.
  private let basic: Credentials?

  /// Creates a source of tokens.
  ///
  /// - Parameters:
  ///   - endpoint: The URL of the token endpoint. RFC 6749, section 3.2, requires https; a URL with http
  ///     sends the client's secret without encryption.
  ///   - client: The app's id and secret.
  ///   - grant: How the app proves that it may have a token.
  ///   - scope: The requested scopes, separated by spaces; nil for the server's default.
  ///   - dispatcher: Sends the request.
  ///   - timeLimit: The maximum time of a request; 20 s.
  ///   - time: The clock by which tokens expire.
  /// - Throws: ``AuthorizationError`` if the URL is malformed.
  public init(
    _ endpoint: String, client: OAuthClient, grant: Grant, scope: String? = nil,
    over dispatcher: some Dispatcher, timeLimit: Duration = .seconds(20), time: TimeSource = .system
  ) throws(AuthorizationError) {
    guard let endpoint = TokenEndpoint(endpoint) else {
      throw AuthorizationError(
        .invalidCredentials(
          "The URL of the token endpoint is malformed; write it like \"https://login.example.com/token\"."))
    }
    self.endpoint = endpoint
    self.client = client
    self.grant = grant
    self.scope = scope
    self.dispatcher = dispatcher
    self.timeLimit = timeLimit
    self.time = time
    if let secret = client.secret, !client.sendsSecretInForm {
      // The parts are encoded as in a form before they are joined (RFC 6749, section 2.3.1).
      let pair = "\(PercentEncoding.form(client.id)):\(PercentEncoding.form(secret.text))"
      basic = try Credentials("Basic " + Base64.encode(Array(pair.utf8)))
    } else {
      basic = nil
    }
  }

  /// Requests a token.
  ///
  /// - Throws: ``AuthorizationError``, or the dispatcher's error. If the grant requires a refresh token, and
  ///   there is no token or the server no longer accepts it, ``AuthorizationError/needsLogin``.
  public func token(replacing previous: AccessToken?) async throws -> AccessToken {
    let request = try request(replacing: previous)
    let response: Response
    let body: [UInt8]
    do {
      response = try await dispatcher.dispatch(request)
      body = try await response.body.collect(upTo: Self.bodyLimit)
    } catch {
      guard case .bodyTooLarge = error.kind else { throw error }
      throw AuthorizationError(.malformedTokenResponse("it has more than \(Self.bodyLimit) bytes"))
    }
    if let origin = endpoint.redirectOrigin(of: response) {
      throw AuthorizationError(.tokenEndpointRedirected(to: origin))
    }
    do {
      return try TokenResponse.token(
        status: response.status.code, body: body, replacing: previous, at: time.wallTime())
    } catch  where error.reason == .grantRefused(.invalidGrant) && grant == .refreshToken {
      throw AuthorizationError(.needsLogin)
    } catch {
      throw error
    }
  }

  private func request(replacing previous: AccessToken?) throws(AuthorizationError) -> Request {
    var form: [(name: String, value: String)] = []
    switch grant {
    case .clientCredentials: form.append(("grant_type", "client_credentials"))
    case .refreshToken:
      guard let previous else { throw AuthorizationError(.needsLogin) }
      guard let refreshToken = previous.refreshToken else { throw AuthorizationError(.noRefreshToken) }
      form += [("grant_type", "refresh_token"), ("refresh_token", refreshToken)]
    }
    if let scope { form.append(("scope", scope)) }
    if basic == nil {
      form.append(("client_id", client.id))
      if let secret = client.secret { form.append(("client_secret", secret.text)) }
    }
    let fields = form.map { "\(PercentEncoding.form($0.name))=\(PercentEncoding.form($0.value))" }
    var request = Request(
      method: .post, scheme: endpoint.scheme, authority: endpoint.authority, path: endpoint.path,
      headerFields: [.contentType: "application/x-www-form-urlencoded", .accept: "application/json"],
      body: .text(fields.joined(separator: "&")))
    if let basic { request.head.headerFields.append(basic.field) }
    request.options.timeouts.whole = timeLimit
    request.options.delivery = .buffered(upTo: Self.bodyLimit)
    request.options.priority = .high
    request.context.sendsCredentials = false
    request.context.redirects = .manual
    return request
  }
}

/// The URL of a token endpoint (RFC 6749, section 3.2).
struct TokenEndpoint: Sendable, Hashable {
  let scheme: String
  let authority: String
  /// The path with its query.
  let path: String

  /// Returns the origin to which a response redirects, or from which it came if a dispatcher has followed
  /// redirects; nil if it is the endpoint's own response.
  func redirectOrigin(of response: Response) -> String? {
    let followed = response.exchange.redirects.last?.url
    let statuses: Set = [301, 302, 303, 307, 308]
    let location = statuses.contains(response.status.code) ? response.head.headerFields[.location] : nil
    guard let url = followed ?? location else { return nil }
    let base = URIReference(scheme: scheme, authority: authority, path: "/")
    let target = URIReference(url).resolved(against: base)
    // Without the user's name; the text of another server is shown in part.
    let host = target.authority?.split(separator: "@").last ?? ""
    return String("\(target.scheme ?? scheme)://\(host)".prefix(200))
  }

  /// Parses `https://host/path?query`; nil for anything else, such as a URL with a user or a fragment.
  init?(_ url: String) {
    let scheme = url.hasPrefix("https://") ? "https" : url.hasPrefix("http://") ? "http" : nil
    guard let scheme else { return nil }
    let rest = url.dropFirst(scheme.utf8.count + 3)
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    guard ProtectedOrigins.isAuthority(rest[..<end]),
      rest[end...].utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "#") })
    else { return nil }
    self.scheme = scheme
    authority = String(rest[..<end])
    path = rest[end...].hasPrefix("/") ? String(rest[end...]) : "/" + rest[end...]
  }
}
