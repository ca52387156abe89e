public import HTTPTypes

/// The header fields whose values are credentials or otherwise secret.
///
/// All parts of the library that treat such fields differently have this list: a redirect or an upload that
/// leads to another origin loses them, a cache tells requests apart by them, a mutation queue refuses to
/// store them, and logs and cassettes hide their values.
///
/// It has the fields of the standards, and those that widespread services use. Give a pipeline those that
/// only your servers use:
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher, credentialFields: ["X-Shop-Key"]) {
///   RedirectInterceptor()
///   CachingInterceptor()
/// }
/// ```
///
/// An interceptor that sets a field of its own adds its name to ``RequestContext/credentialFields``, as
/// `AuthorizationInterceptor` does for its scheme. A field of a name that can't be known in advance, such as
/// one with a tenant's name in it, is one that the interceptor must add.
public struct CredentialFields: Sendable, Hashable, ExpressibleByArrayLiteral {
  /// The names besides the usual ones, in lower case.
  private var added: Set<String> = []

  /// Creates the list of the usual fields.
  public init() {}

  /// Creates the list of the usual fields and of those with the given names, whose case is ignored.
  ///
  /// A text that is no field name matches no field.
  public init(arrayLiteral names: String...) { added = Set(names.map { $0.lowercased() }) }

  /// Adds a field.
  public mutating func insert(_ name: HTTPField.Name) {
    if !contains(name) { added.insert(name.canonicalName) }
  }

  /// Adds the fields of another list.
  package mutating func formUnion(_ other: CredentialFields) { added.formUnion(other.added) }

  /// Whether the list has no other fields than the usual ones.
  package var isUsual: Bool { added.isEmpty }

  /// Whether a field is in the list.
  public func contains(_ name: HTTPField.Name) -> Bool {
    let canonical = name.canonicalName
    // The first letter rules out most names.
    let isPossible = canonical.utf8.first.map { Self.initials & 1 << UInt64($0 & 63) != 0 } ?? false
    return isPossible && Self.usual.contains(canonical) || !added.isEmpty && added.contains(canonical)
  }

  private static let initials = usual.reduce(UInt64(0)) { $0 | 1 << UInt64(($1.utf8.first ?? 0) & 63) }

  private static let usual: Set<String> = [
    // RFC 9110, section 11; RFC 6265 and RFC 2965.
    "authorization", "proxy-authorization", "www-authenticate", "proxy-authenticate", "authentication-info",
    "proxy-authentication-info", "cookie", "cookie2", "set-cookie", "set-cookie2",
    // RFC 9421, RFC 9449.
    "signature", "signature-input", "dpop",
    // Keys and tokens of services.
    "api-key", "apikey", "x-api-key", "x-apikey", "x-api-token", "x-api-secret", "x-app-key", "x-auth",
    "x-auth-key", "x-auth-token", "x-authorization", "x-access-token", "x-refresh-token", "x-id-token",
    "x-session", "x-session-id", "x-session-token", "x-user-token", "x-client-secret", "x-secret-key",
    "x-token", "auth-token", "access-token", "private-token", "session-token", "token",
    "x-amz-security-token", "x-acs-security-token", "x-ms-authorization-auxiliary", "x-functions-key",
    "ocp-apim-subscription-key", "x-goog-api-key", "x-goog-iam-authorization-token", "x-vault-token",
    "x-gitlab-token", "job-token", "x-shopify-access-token", "x-rapidapi-key", "x-subscription-token",
    "x-parse-session-token", "x-parse-rest-api-key", "x-parse-master-key", "x-forwarded-access-token",
    // Tokens against cross-site requests.
    "x-csrf-token", "csrf-token", "x-csrftoken", "x-xsrf-token", "xsrf-token",
  ]
}
