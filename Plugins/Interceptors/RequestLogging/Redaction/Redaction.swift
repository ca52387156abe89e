public import HTTPTypes

/// Determines what may be logged of a request and its response.
///
/// Everything that isn't known to be harmless is replaced by a mark.
///
/// ```swift
/// var redaction = Redaction()
/// redaction.shownHeaders.insert(.eTag)
/// redaction.shownQueryNames = ["page", "district"]
/// ```
///
/// Paths are shown: put no secrets there. User names and passwords before a host are always removed.
public struct Redaction: Sendable, Hashable {
  /// The replacement for a hidden value.
  public var mark = "██"
  /// The fields whose values are shown, except for those that ``hides(_:)`` always hides.
  ///
  /// In `Location`, `Content-Location` and `Referer`, which contain URLs, the query is redacted.
  public var shownHeaders: Set<HTTPField.Name>
  /// The names of the query parameters, of the fields of forms and of the members of JSON whose values are
  /// shown; none by default.
  ///
  /// Names are compared without decoding.
  public var shownQueryNames: Set<String>

  /// Creates a redaction.
  public init(
    showingHeaders headers: Set<HTTPField.Name> = Redaction.harmlessHeaders,
    showingQueryValuesOf names: Set<String> = []
  ) {
    shownHeaders = headers
    shownQueryNames = names
  }

  /// The fields that carry no secrets by definition.
  public static let harmlessHeaders = Set(
    [
      "Accept", "Accept-Encoding", "Accept-Language", "Accept-Ranges", "Age", "Allow", "Cache-Control",
      "Cache-Status", "Connection", "Content-Encoding", "Content-Language", "Content-Length",
      "Content-Location", "Content-Range", "Content-Type", "Date", "Expires", "If-Modified-Since",
      "If-Unmodified-Since", "Last-Modified", "Location", "Range", "Referer", "Retry-After", "Server",
      "TE", "Trailer", "Transfer-Encoding", "User-Agent", "Vary", "Via",
    ].compactMap { HTTPField.Name($0) })

  private static let secretHeaders: Set<String> = [
    "authorization", "proxy-authorization", "authentication-info", "proxy-authentication-info", "cookie",
    "set-cookie", "set-cookie2", "x-api-key", "api-key", "x-auth-token", "x-access-token", "x-csrf-token",
    "x-xsrf-token", "x-amz-security-token", "signature", "signature-input",
  ]

  /// Whether a field's value is hidden.
  ///
  /// Credentials, cookies and everything that starts with `Switchyard-` are hidden even if listed in
  /// ``shownHeaders``, so that a copied list can't publish credentials by mistake.
  public func hides(_ name: HTTPField.Name) -> Bool {
    let canonical = name.canonicalName
    return !shownHeaders.contains(name) || Self.secretHeaders.contains(canonical)
      || canonical.hasPrefix("switchyard-")
  }

  /// Returns a field's value, redacted.
  public func value(of field: HTTPField) -> String {
    guard !hides(field.name) else { return mark }
    return Self.containsURL(field.name) ? url(field.value) : field.value
  }

  /// Whether the value of a field is a URL, whose parts are redacted.
  static func containsURL(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName {
    case "location", "content-location", "referer": true
    default: false
    }
  }
}
