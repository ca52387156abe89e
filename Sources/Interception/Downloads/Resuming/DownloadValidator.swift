import HTTPTypes

/// What tells one version of a content from another one, byte for byte (RFC 9110, sections 8.8 and 13.1.5).
enum DownloadValidator: Sendable, Hashable {
  /// A strong entity tag, with its quotes.
  case entityTag(String)
  /// The date of the last change, as the server wrote it.
  case lastModified(String)

  /// Reads the strong validator of an answer; nil where there is none.
  ///
  /// A date counts only where there is no entity tag at all, not even a weak one, and where the content had
  /// been at rest for a second when it was sent: a second change within one second would bear the same date.
  init?(_ fields: HTTPFields) {
    if let tag = fields[.eTag] {
      guard Self.isStrongTag(tag) else { return nil }
      self = .entityTag(tag)
    } else if let text = fields[.lastModified], let changed = HTTPDate.parse(text),
      let sent = fields[.date].flatMap({ HTTPDate.parse($0) }), changed.seconds < sent.seconds
    {
      self = .lastModified(text)
    } else {
      return nil
    }
  }

  /// The value of the `If-Range` field.
  var fieldValue: String {
    switch self {
    case .entityTag(let tag): tag
    case .lastModified(let date): date
    }
  }

  /// Whether an answer says that it is of another version.
  func isContradicted(by fields: HTTPFields) -> Bool {
    switch self {
    case .entityTag(let tag): fields[.eTag].map { $0 != tag } ?? false
    case .lastModified(let date): fields[.lastModified].map { $0 != date } ?? false
    }
  }

  /// Whether a text is a strong entity tag of printable ASCII characters.
  static func isStrongTag(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
      && bytes[1..<(bytes.count - 1)].allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) }
  }
}
