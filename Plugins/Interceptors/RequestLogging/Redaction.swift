public import HTTPTypes
package import Interception

/// Determines what may be logged of a request and its response.
///
/// Everything that isn't known to be harmless is replaced by a mark.
///
/// ```swift
/// let redaction = Redaction(
///   showingHeaders: Redaction.harmlessHeaders.union([.eTag]), showingQueryValuesOf: ["page", "district"])
/// ```
///
/// Paths are shown: put no secrets there. User names and passwords before a host are always removed.
public struct Redaction: Sendable, Hashable {
  /// The replacement for a hidden value.
  package var mark = "██"
  /// The fields whose values are shown, except for those that `hides(_:)` always hides.
  package var shownHeaders: Set<HTTPField.Name>
  /// The names of the query parameters, of the fields of forms and of the members of JSON whose values are
  /// shown; none by default.
  package var shownQueryNames: Set<String>
  /// The fields whose values are never shown.
  private var credentialFields = CredentialFields()

  /// Creates a redaction.
  ///
  /// - Parameters:
  ///   - headers: The fields whose values are shown, except for those that may carry credentials. In
  ///     `Location`, `Content-Location` and `Referer`, which contain URLs, the query is redacted.
  ///   - names: The names of the query parameters, of the fields of forms and of the members of JSON whose
  ///     values are shown; none by default. Names are compared without decoding.
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

  /// Whether a field's value is hidden.
  ///
  /// The fields of `CredentialFields` are hidden even if listed in `shownHeaders`, so that a copied list
  /// can't publish credentials by mistake. Logs, archives and command lines hide those of a request's
  /// `context.credentialFields`, too, in the request and in its response.
  package func hides(_ name: HTTPField.Name) -> Bool {
    !shownHeaders.contains(name) || credentialFields.contains(name)
  }

  /// Returns the redaction for a request and its response, which hides the credential fields of their chain.
  package func hiding(_ fields: CredentialFields) -> Redaction {
    guard !fields.isUsual else { return self }
    var redaction = self
    redaction.credentialFields.formUnion(fields)
    return redaction
  }

  /// Returns a field's value, redacted.
  package func value(of field: HTTPField) -> String {
    guard !hides(field.name) else { return mark }
    return Self.containsURL(field.name) ? url(field.text) : field.text
  }

  /// Whether the value of a field is a URL, whose parts are redacted.
  static func containsURL(_ name: HTTPField.Name) -> Bool {
    switch name.canonicalName {
    case "location", "content-location", "referer": true
    default: false
    }
  }
}

extension Redaction {
  /// The minimum length of a value to search for; shorter ones occur by chance.
  private static let minimumSecretLength = 6

  /// Returns the text with every hidden value of the request, and every part of one, replaced.
  package func scrubbed(_ text: String, of request: Request) -> String {
    var text = text
    // The longest first, because replacing a part would hide the whole value from the search.
    for secret in secrets(of: request).sorted(by: { $0.count > $1.count }) where text.contains(secret) {
      text = text.replacing(secret, with: mark)
    }
    return text
  }

  private func secrets(of request: Request) -> Set<String> {
    let redaction = hiding(request.context.credentialFields)
    // An error or a log may show bytes that are not UTF-8 either way.
    let hidden = request.head.headerFields.filter { redaction.hides($0.name) }
    var values = hidden.flatMap { [$0.value, $0.text] }
    let path = request.head.path ?? ""
    for item in QueryItems(path).items
    where !shownQueryNames.contains(String(decoding: item.name, as: UTF8.self)) {
      values.append(String(decoding: item.value, as: UTF8.self))
    }
    // The same values before percent-decoding.
    for pair in path.drop(while: { $0 != "?" && $0 != "#" }).split(whereSeparator: { "?&#".contains($0) }) {
      let halves = pair.split(separator: "=", maxSplits: 1)
      guard let value = halves.last, halves.count == 1 || !shownQueryNames.contains(String(halves[0])) else {
        continue
      }
      values.append(String(value))
    }
    let authority = request.head.authority ?? ""
    if let at = authority.lastIndex(of: "@") { values.append(String(authority[..<at])) }
    let pieces = values.flatMap { value in
      value.split(whereSeparator: { " ;,=:\"".contains($0) }).map(String.init)
    }
    return Set((values + pieces).filter { $0.utf8.count >= Self.minimumSecretLength })
  }
}

// Text is split at bytes, because a separator followed by a combining character is a single Character that
// doesn't equal the separator.

extension Redaction {
  /// Returns host and port, without a preceding user name and password.
  package func authority(_ authority: String) -> String {
    // Uses contiguous bytes, because each access to a string's view looks up its storage.
    let hasName = authority.utf8.withContiguousStorageIfAvailable { $0.contains(UInt8(ascii: "@")) }
    guard hasName != false, let at = authority.utf8.lastIndex(of: UInt8(ascii: "@")) else { return authority }
    return String(authority[authority.utf8.index(after: at)...])
  }

  /// Returns a path with its query and fragment redacted.
  package func path(_ pathAndQuery: String) -> String {
    let (rest, fragment) = Self.split(pathAndQuery[...], at: "#")
    let (path, query) = Self.split(rest, at: "?")
    return String(path) + (query.map { "?" + self.query(String($0)) } ?? "")
      + (fragment == nil ? "" : "#\(mark)")
  }

  /// Returns a query, or a form-encoded body, with its names kept and its values hidden.
  ///
  /// A part without `=` is hidden as a whole, because it may be a value.
  package func query(_ query: String) -> String {
    var query = query
    return query.withUTF8 { bytes in
      var shown: [UInt8] = []
      shown.reserveCapacity(bytes.count + 4 * mark.utf8.count)
      var start = 0
      while true {
        let end = bytes[start...].firstIndex(of: UInt8(ascii: "&")) ?? bytes.count
        if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
          let isShown =
            !shownQueryNames.isEmpty
            && shownQueryNames.contains(String(decoding: bytes[start..<equals], as: UTF8.self))
          shown += bytes[start...(isShown ? end - 1 : equals)]
          if !isShown { shown += mark.utf8 }
        } else if start < end {
          shown += mark.utf8
        }
        guard end < bytes.count else { break }
        shown.append(UInt8(ascii: "&"))
        start = end + 1
      }
      return String(decoding: shown, as: UTF8.self)
    }
  }

  /// Returns an absolute or relative URL, redacted.
  public func url(_ url: String) -> String {
    // The authority follows the first two slashes, unless a path or a query starts before them.
    guard let slashes = url.utf8.firstRange(of: "//".utf8),
      url.utf8[..<slashes.lowerBound].allSatisfy({ !"/?#".utf8.contains($0) })
    else { return path(url) }
    let rest = url[slashes.upperBound...]
    let end = rest.utf8.firstIndex { "/?#".utf8.contains($0) } ?? rest.endIndex
    return url[..<slashes.upperBound] + authority(String(rest[..<end])) + path(String(rest[end...]))
  }

  private static func split(_ text: Substring, at separator: Unicode.Scalar) -> (Substring, Substring?) {
    guard let index = text.utf8.firstIndex(of: UInt8(ascii: separator)) else { return (text, nil) }
    return (text[..<index], text[text.utf8.index(after: index)...])
  }
}
