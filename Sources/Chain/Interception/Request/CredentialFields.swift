package import HTTPTypes

/// The header fields whose values are credentials or otherwise secret.
///
/// All parts of the library that treat such fields differently have this list: a redirect or an upload that
/// leads to another origin loses them, a cache tells requests apart by them, a mutation queue refuses to
/// store them, and logs, archives, the inspector and cassettes hide their values.
///
/// It has the fields of the standards, those that widespread services use, and those that begin with
/// `Switchyard-`. Give a pipeline those that only your servers use:
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher, credentialFields: ["X-Shop-Key"]) {
///   RedirectInterceptor()
///   CachingInterceptor()
/// }
/// ```
///
/// An interceptor that sets a field of its own adds the name to ``RequestContext/credentialFields`` in the
/// same step, as `AuthorizationInterceptor` does for its scheme. Do the same for a field whose name is known
/// only at run time, such as one that contains a tenant's name.
public struct CredentialFields: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names besides the usual ones, in lower case.
  private var added: Set<String> = []

  /// Creates the list of the usual fields.
  package init() {}

  /// Creates the list of the usual fields and of those with the given names, whose case is ignored.
  ///
  /// A pipeline refuses a list with a text that is no field name (RFC 9110, section 5.1).
  public init(arrayLiteral names: String...) {
    added = Set(names.map { $0.lowercased() }).subtracting(Self.usual)
  }

  /// Adds a field.
  package mutating func insert(_ name: HTTPField.Name) {
    if !contains(name) { added.insert(name.canonicalName) }
  }

  /// Adds the fields of another list.
  package mutating func formUnion(_ other: CredentialFields) {
    // Each chain that a request enters adds its list; most lists are empty or the same.
    if added.isEmpty { added = other.added } else if added != other.added { added.formUnion(other.added) }
  }

  /// Whether the list has no other fields than the usual ones.
  package var isUsual: Bool { added.isEmpty }

  /// The texts that are no field names, sorted.
  var malformedNames: [String] { added.filter { HTTPField.Name($0) == nil }.sorted() }

  /// Whether a field is in the list.
  package func contains(_ name: HTTPField.Name) -> Bool {
    let canonical = name.canonicalName
    return Self.isUsual(canonical) || !added.isEmpty && added.contains(canonical)
  }

  /// Whether a field is in every list; the first letter and the length rule out most names without a hash.
  private static func isUsual(_ canonical: String) -> Bool {
    let bytes = canonical.utf8
    guard let first = bytes.first else { return false }
    if lengths[Int(first & 63)] & 1 << UInt64(min(bytes.count, 63)) != 0, usual.contains(canonical) {
      return true
    }
    return first == UInt8(ascii: "s") && bytes.starts(with: ownPrefix.utf8)
  }

  /// The prefix of the fields that this library's signatures add.
  private static let ownPrefix = "switchyard-"

  /// For the lower 6 bits of a first letter, the lengths of the names that begin with it.
  private static let lengths = usual.reduce(into: [UInt64](repeating: 0, count: 64)) { lengths, name in
    lengths[Int((name.utf8.first ?? 0) & 63)] |= 1 << UInt64(min(name.utf8.count, 63))
  }

  private static let usual: Set<String> = [
    // RFC 9110, section 11; RFC 6265 and RFC 2965.
    "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "authentication-info",
    "proxy-authentication-info", "cookie", "cookie2", "set-cookie", "set-cookie2",
    // RFC 9421, RFC 9449, RFC 8473, RFC 9440.
    "signature", "signature-input", "dpop", "dpop-nonce", "sec-token-binding", "client-cert",
    // Keys and tokens by common names.
    "access-key", "access-token", "api-key", "api-token", "apikey", "auth-token", "client-secret",
    "id-token", "private-token", "refresh-token", "secret-key", "session-id", "session-token", "token",
    "x-access-key", "x-access-token", "x-api-key", "x-api-secret", "x-api-token", "x-apikey", "x-app-key",
    "x-app-secret", "x-app-token", "x-application-key", "x-auth", "x-auth-key", "x-auth-secret",
    "x-auth-token", "x-authorization", "x-bearer-token", "x-client-secret", "x-id-token", "x-jwt",
    "x-jwt-assertion", "x-password", "x-refresh-token", "x-secret", "x-secret-key", "x-security-token",
    "x-service-token", "x-session", "x-session-id", "x-session-key", "x-session-token", "x-signature",
    "x-token", "x-user-token",
    // What proxies and gateways pass on.
    "cf-access-client-secret", "cf-access-jwt-assertion", "cf-access-token", "x-amzn-oidc-accesstoken",
    "x-amzn-oidc-data", "x-forwarded-access-token", "x-forwarded-authorization", "x-goog-iap-jwt-assertion",
    "x-original-authorization",
    // Clouds, and the keys with which they encrypt stored objects.
    "x-acs-security-token", "x-amz-access-token", "x-amz-security-token", "x-bce-security-token",
    "x-cos-security-token", "x-functions-key", "x-goog-api-key", "x-goog-encryption-key",
    "x-goog-iam-authorization-token", "x-ibm-client-secret", "x-ms-authorization-auxiliary",
    "x-ms-copy-source-authorization", "x-ms-encryption-key", "x-obs-security-token", "x-oss-security-token",
    "x-serverless-authorization", "x-storage-token", "x-subject-token", "x-tc-token", "x-zumo-auth",
    "x-amz-copy-source-server-side-encryption-customer-key",
    "x-amz-server-side-encryption-customer-key", "ocp-apim-subscription-key",
    // Other services.
    "circle-token", "dd-api-key", "dd-application-key", "fastly-key", "job-token", "x-algolia-api-key",
    "x-auth-user-service-key", "x-consul-token", "x-emby-token", "x-figma-token", "x-github-otp",
    "x-gitlab-token", "x-hasura-admin-secret", "x-jfrog-art-api", "x-mashape-key", "x-nomad-token",
    "x-nuget-apikey", "x-parse-master-key", "x-parse-rest-api-key", "x-parse-session-token", "x-plex-token",
    "x-postmark-account-token", "x-postmark-server-token", "x-rapidapi-key", "x-sentry-auth",
    "x-shopify-access-token", "x-shopify-storefront-access-token", "x-subscription-token",
    "x-typesense-api-key", "x-vault-token",
    // Tokens against cross-site requests.
    "csrf-token", "x-csrf-token", "x-csrftoken", "x-xsrf-token", "xsrf-token",
  ]
}

extension Request {
  /// Removes what only the origin of the caller's URL may receive, before the request is sent to another one.
  ///
  /// These are the credential fields, also among the trailers, `Host`, everything in `Referer` after its
  /// origin, the connect target and the API. ``RequestContext/hasLeftOrigin`` becomes true, so that no
  /// interceptor adds the credentials again.
  package mutating func leaveOrigin() {
    let credentials = context.credentialFields
    head.headerFields.removeAll { field in
      credentials.contains(field.name) || field.name.canonicalName == "host"
    }
    if let referer = head.headerFields[.referer] { head.headerFields[.referer] = Self.origin(of: referer) }
    if let trailers { self.trailers = trailers.without(credentials) }
    context.connectTarget = nil
    if context.http3RecordPort != nil { context.http3RecordPort = nil }
    context.api = nil
    context.hasLeftOrigin = true
  }

  /// Returns the part of a referrer that another origin may know, as in browsers; nil for one that is no
  /// absolute URL (Referrer Policy, strict-origin-when-cross-origin).
  private static func origin(of referer: String) -> String? {
    let reference = URIReference(referer)
    guard let scheme = reference.scheme, let authority = reference.authority else { return nil }
    let host = authority.split(separator: "@").last ?? ""
    return host.isEmpty ? nil : "\(scheme)://\(host)/"
  }
}

extension RequestContext {
  /// Adds a field to ``credentialFields``; does not copy the context for a usual one.
  package mutating func addCredentialField(_ name: HTTPField.Name) {
    if !credentialFields.contains(name) { credentialFields.insert(name) }
  }

  private enum SendsCredentialsKey: ContextKey { static let defaultValue = true }

  /// Whether `AuthorizationInterceptor` adds credentials to the request; true by default.
  ///
  /// Set it to false for requests that obtain a token, such as a login, if they use the same pipeline: with
  /// credentials they would wait for the refresh that they are part of.
  ///
  /// Their body has a password or a token instead, so `RedirectInterceptor` follows no redirect of such a
  /// request to another origin if the request has a body. Set ``redirects`` to ``RedirectMode/manual`` as
  /// well if a redirect within the origin is not to be followed either.
  public var sendsCredentials: Bool {
    get { self[SendsCredentialsKey.self] }
    set { self[SendsCredentialsKey.self] = newValue }
  }
}
