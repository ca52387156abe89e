public import Interception

/// A cookie that is kept (RFC 6265bis, section 5.7).
///
/// Its value is shown by none of its descriptions, because it is usually a credential.
public struct Cookie: Sendable, Hashable {
  /// The value of the attribute `SameSite`.
  ///
  /// It is kept for inspection and has no effect on sending: every request of an app is sent by the app
  /// itself, and not by a page of another site.
  package enum SameSite: String, Sendable, Hashable {
    /// Only with requests of the same site.
    case strict
    /// Also when a user follows a link to the site.
    case lax
    /// With all requests; requires `Secure`.
    case none
  }

  let nameText: FieldText
  let valueText: FieldText
  /// The domain in lower case.
  public let domain: String
  /// Whether the cookie is sent to the domain itself only, and not to the hosts in it.
  ///
  /// A store without a list of public suffixes sends every cookie only to its domain itself.
  package let isHostOnly: Bool
  /// The path below which the cookie is sent.
  public let path: String
  /// Whether the cookie is sent over https only.
  public let isSecure: Bool
  /// Whether scripts may not read the cookie.
  public let isHTTPOnly: Bool
  /// The value of `SameSite`, if there was a valid one.
  package let sameSiteRule: SameSite?
  /// When the cookie expires; nil for a session cookie, which lasts as long as the store is in memory.
  public let expiry: WallTime?
  /// When the cookie was first set; setting it again doesn't change it.
  package internal(set) var creation: WallTime
  /// When the cookie was last set or sent.
  package internal(set) var lastAccess: WallTime

  /// The name; empty for a cookie that has only a value.
  ///
  /// A name or value that is not UTF-8 is shown as ISO 8859-1; its bytes are sent as they were received.
  public var name: String { nameText.description }
  /// The value.
  public var value: String { valueText.description }
  /// The value of `SameSite` in lower case, such as `lax`, if there was a valid one; it has no effect on
  /// sending.
  public var sameSite: String? { sameSiteRule?.rawValue }

  /// Whether the cookie survives a restart if its store has a file.
  package var isPersistent: Bool { expiry != nil }

  func isExpired(at now: WallTime) -> Bool { expiry.map { $0 <= now } ?? false }
}

extension Cookie: Concealed, CustomStringConvertible {
  /// The name, domain and path, without the value.
  public var description: String { "\(name.isEmpty ? "(no name)" : name)=… for \(domain)\(path)" }
}
