import HTTPTypes
import Interception

/// The version of an unfinished file's content, stored beside it so that a later run can resume it.
struct DownloadRecord: Sendable, Hashable {
  /// A hash that identifies the content; the unfinished file of another URL is never resumed.
  let identity: UInt64
  /// The version of the content in the unfinished file.
  let validator: DownloadValidator
  /// The length of the whole content, or nil if the server didn't send it.
  let total: Int64?

  private static let title = "switchyard-download 1"
  private static let end = "end"

  init(identity: UInt64, validator: DownloadValidator, total: Int64?) {
    self.identity = identity
    self.validator = validator
    self.total = total
  }

  /// Returns the record with the length of the whole content.
  func with(total: Int64) -> DownloadRecord {
    DownloadRecord(identity: identity, validator: validator, total: total)
  }

  /// Parses a record; returns nil if it is truncated, damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    let lines = text.utf8.split(separator: 0x0A, omittingEmptySubsequences: false)
      .map { String(decoding: $0, as: UTF8.self) }
    guard lines.count == 6, lines[0] == Self.title, lines[4] == Self.end, lines[5].isEmpty,
      let identity = Self.value(of: "identity", in: lines[1]).flatMap({ UInt64($0, radix: 16) }),
      let total = Self.value(of: "total", in: lines[3])
    else { return nil }
    if let tag = Self.value(of: "etag", in: lines[2]), DownloadValidator.isStrongTag(tag) {
      validator = .entityTag(tag)
    } else if let date = Self.value(of: "modified", in: lines[2]), HTTPDate.parse(date) != nil {
      validator = .lastModified(date)
    } else {
      return nil
    }
    self.identity = identity
    if total == "unknown" {
      self.total = nil
    } else {
      guard let number = Int64(total), number >= 0 else { return nil }
      self.total = number
    }
  }

  /// The record's bytes.
  var bytes: [UInt8] {
    let version =
      switch validator {
      case .entityTag(let tag): "etag \(tag)"
      case .lastModified(let date): "modified \(date)"
      }
    let total = total.map(String.init) ?? "unknown"
    let lines = [
      Self.title, "identity \(String(identity, radix: 16))", version, "total \(total)", Self.end, "",
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  private static func value(of name: String, in line: String) -> String? {
    line.hasPrefix(name + " ") ? String(line.dropFirst(name.count + 1)) : nil
  }
}

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
