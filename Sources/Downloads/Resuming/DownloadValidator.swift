import HTTPTypes
import Interception

/// A strong validator, which identifies a version of the content byte for byte (RFC 9110, sections 8.8 and
/// 13.1.5).
enum DownloadValidator: Sendable, Hashable {
  /// A strong entity tag, including its quotes.
  case entityTag(String)
  /// The last modification date, as the server wrote it.
  case lastModified(String)

  /// Creates the strong validator of a response; returns nil if there is none.
  ///
  /// A date is used only if there is no entity tag, not even a weak one, and if it is at least one second
  /// older than the response: a second change within the same second would have the same date.
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

  /// Whether the header fields of a response show that it is another version.
  func isContradicted(by fields: HTTPFields) -> Bool {
    switch self {
    case .entityTag(let tag): fields[.eTag].map { $0 != tag } ?? false
    case .lastModified(let date): fields[.lastModified].map { $0 != date } ?? false
    }
  }

  /// Whether `text` is a strong entity tag of printable ASCII characters.
  static func isStrongTag(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
      && bytes[1..<(bytes.count - 1)].allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) }
  }
}
