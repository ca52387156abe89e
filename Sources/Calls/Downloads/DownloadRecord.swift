import Cryptography
import HTTPTypes
import Interception

/// The version of an unfinished file's content, stored beside it so that a later run can resume it.
struct DownloadRecord: Sendable, Hashable {
  /// A hash that identifies the content; the unfinished file of another URL is never resumed.
  let identity: UInt64
  /// The digest of the owner on whose behalf the content was received; nil without an account and
  /// credentials.
  let owner: String?
  /// The version of the content in the unfinished file.
  let validator: DownloadValidator
  /// The length of the whole content, or nil if the server didn't send it.
  let total: Int64?
  /// The digests of the whole content that the server sent; of a complete file, those that it has.
  var digests: [FileDigest]
  /// The codings of the content, which is stored as it was sent; empty if it is not coded.
  let codings: [String]
  /// The progress of each part; nil if the content was received from its start on, so that the length of the
  /// unfinished file is the progress.
  var parts: DownloadParts?

  private static let title = "switchyard-download 1"
  // Releases that don't know owners, digests, codings and parts ignore such a record, and begin the file
  // anew.
  private static let extendedTitle = "switchyard-download 2"
  private static let end = "end"

  init(
    identity: UInt64, owner: String? = nil, validator: DownloadValidator, total: Int64?,
    digests: [FileDigest] = [], codings: [String] = [], parts: DownloadParts? = nil
  ) {
    self.identity = identity
    self.owner = owner
    self.validator = validator
    self.total = total
    self.digests = digests
    self.codings = codings
    self.parts = parts
  }

  /// Returns the record of the complete file.
  func ofComplete(total: Int64) -> DownloadRecord {
    DownloadRecord(
      identity: identity, owner: owner, validator: validator, total: total, digests: digests,
      codings: codings)
  }

  /// Whether the header fields of a response show that its content is another version, or coded in another
  /// way.
  ///
  /// A 206 to a request with `If-Range` need not have the coding (RFC 9110, section 15.3.7).
  func isContradicted(by fields: HTTPFields) -> Bool {
    validator.isContradicted(by: fields)
      || fields.contains(.contentEncoding) && fields.contentCodings != codings
  }

  /// Whether a 206 or 416 shows that its server still has this version, by its fields and the complete length
  /// in its `Content-Range`.
  ///
  /// Every 206 to a request with `If-Range` has the entity tag, but need not have the date (RFC 9110,
  /// section 15.3.7); without the date, the length must be stated and the same. Otherwise a server that
  /// ignores `If-Range` would add a part of another version.
  func isConfirmed(by fields: HTTPFields, total stated: Int64?) -> Bool {
    guard !isContradicted(by: fields), stated == nil || total == nil || stated == total else { return false }
    return validator.isConfirmed(by: fields) || validator.isDate && stated != nil && stated == total
  }

  /// Parses a record; returns nil if it is truncated, damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    let byteLines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    // Only an entity tag has bytes above 127, which need not be UTF-8.
    let lines = byteLines.map { FieldText.decoded($0) }
    guard lines.count >= 6, lines[0] == (lines.count == 6 ? Self.title : Self.extendedTitle),
      lines[lines.count - 2] == Self.end, lines[lines.count - 1].isEmpty,
      let identity = Self.value(of: "identity", in: lines[1]).flatMap({ UInt64($0, radix: 16) }),
      let total = Self.value(of: "total", in: lines[3])
    else { return nil }
    if let tag = Self.tag(in: byteLines[2]), DownloadValidator.isStrongTag(tag) {
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
    (digests, parts) = ([], nil)
    var owner: String?
    var codings: [String] = []
    var recorded: [(range: Range<Int64>, next: Int64)] = []
    for line in lines[4..<(lines.count - 2)] {
      if let text = Self.value(of: "owner", in: line), owner == nil,
        Hexadecimal.decode(text, count: 32) != nil
      {
        owner = text
      } else if let digest = Self.value(of: "digest", in: line).flatMap(Self.digest) {
        digests.append(digest)
      } else if let coding = Self.value(of: "coding", in: line), !coding.isEmpty {
        codings.append(coding)
      } else if let part = Self.value(of: "part", in: line).flatMap(Self.part) {
        recorded.append(part)
      } else {
        return nil
      }
    }
    self.owner = owner
    self.codings = codings
    guard !recorded.isEmpty else { return }
    guard let total = self.total, let parts = DownloadParts(recorded, total: total) else { return nil }
    self.parts = parts
  }

  /// The record's bytes.
  var bytes: [UInt8] {
    let version =
      switch validator {
      case .entityTag(let tag): Array("etag ".utf8) + tag.bytes
      case .lastModified(let date): Array("modified \(date)".utf8)
      }
    let total = total.map(String.init) ?? "unknown"
    let digests = digests.map { "digest \($0.algorithm.rawValue) \($0.base64)" }
    let parts = (parts?.list ?? []).map { "part \($0.range.lowerBound) \($0.range.upperBound) \($0.next)" }
    let extensions = (owner.map { ["owner \($0)"] } ?? []) + digests + codings.map { "coding \($0)" } + parts
    let start = [
      extensions.isEmpty ? Self.title : Self.extendedTitle, "identity \(String(identity, radix: 16))",
    ]
    let rest = ["total \(total)"] + extensions + [Self.end, ""]
    let lines = start.map { Array($0.utf8) } + [version] + rest.map { Array($0.utf8) }
    return Array(lines.joined(separator: [0x0A]))
  }

  private static func tag(in line: ArraySlice<UInt8>) -> FieldText? {
    let name = "etag "
    return line.starts(with: name.utf8) ? FieldText(line.dropFirst(name.utf8.count)) : nil
  }

  private static func digest(_ text: String) -> FileDigest? {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let algorithm = FileDigest.Algorithm(rawValue: String(words[0])) else {
      return nil
    }
    return FileDigest(algorithm, stated: Base64.decode(Array(words[1].utf8)[...]))
  }

  private static func part(_ text: String) -> (range: Range<Int64>, next: Int64)? {
    let numbers = text.split(separator: " ", omittingEmptySubsequences: false).map { Int64($0) }
    guard numbers.count == 3, let start = numbers[0], let end = numbers[1], let next = numbers[2],
      0 <= start, start < end
    else { return nil }
    return (start..<end, next)
  }

  private static func value(of name: String, in line: String) -> String? {
    line.hasPrefix(name + " ") ? String(line.dropFirst(name.count + 1)) : nil
  }
}

/// A strong validator, which identifies a version of the content byte for byte (RFC 9110, sections 8.8 and
/// 13.1.5).
enum DownloadValidator: Sendable, Hashable {
  /// A strong entity tag, including its quotes.
  case entityTag(FieldText)
  /// The last modification date, as the server wrote it.
  case lastModified(String)

  /// Creates the strong validator of a response; returns nil if there is none.
  ///
  /// A date is used only if there is no entity tag, not even a weak one, and if it is at least one second
  /// older than the response: a second change within the same second would have the same date.
  init?(_ fields: HTTPFields) {
    if fields.contains(.eTag) {
      guard let tag = fields[text: .eTag], Self.isStrongTag(tag) else { return nil }
      self = .entityTag(tag)
    } else if let text = fields.singleValue(.lastModified), let changed = HTTPDate.parse(text),
      let sent = fields.singleValue(.date).flatMap({ HTTPDate.parse($0) }), changed.seconds < sent.seconds
    {
      self = .lastModified(text)
    } else {
      return nil
    }
  }

  /// The value of the `If-Range` field.
  var fieldValue: FieldText {
    switch self {
    case .entityTag(let tag): tag
    case .lastModified(let date): FieldText(date.utf8)
    }
  }

  /// Whether the header fields of a response show that it is another version.
  func isContradicted(by fields: HTTPFields) -> Bool {
    switch self {
    case .entityTag(let tag): fields.contains(.eTag) && fields[text: .eTag] != tag
    case .lastModified(let date): fields.contains(.lastModified) && fields.singleValue(.lastModified) != date
    }
  }

  /// Whether the header fields of a response show that it is this version.
  func isConfirmed(by fields: HTTPFields) -> Bool {
    switch self {
    case .entityTag(let tag): fields[text: .eTag] == tag
    case .lastModified(let date): fields.singleValue(.lastModified) == date
    }
  }

  /// Whether it is a last modification date.
  var isDate: Bool { if case .lastModified = self { true } else { false } }

  /// Whether a text is a strong entity tag, in which bytes above 127 are opaque (RFC 9110, section 8.8.3).
  static func isStrongTag(_ tag: FieldText) -> Bool {
    let bytes = tag.bytes
    return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
      && bytes[1..<(bytes.count - 1)].allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) || $0 >= 0x80 }
  }
}

/// The version of a complete file, stored beside it so that it is requested again only if the server has
/// another one.
struct DownloadedVersion: Sendable, Hashable {
  /// The content that was downloaded, with its length.
  let record: DownloadRecord
  /// The file as it was when the download was complete.
  let stamp: FileStamp

  private static let end = "end"

  init(record: DownloadRecord, stamp: FileStamp) {
    self.record = record
    self.stamp = stamp
  }

  /// Parses a version; returns nil if it is truncated, damaged, or of another format.
  init?(_ bytes: [UInt8]) {
    let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
    // The last three lines are the stamp, the end, and an empty one.
    guard lines.count >= 8, lines[lines.count - 2].elementsEqual(Self.end.utf8),
      lines[lines.count - 1].isEmpty,
      let record = DownloadRecord(Array(lines[..<(lines.count - 3)].joined(separator: [0x0A]) + [0x0A])),
      let stamp = String(validating: lines[lines.count - 3], as: UTF8.self).flatMap(FileStamp.init),
      record.total == stamp.size
    else { return nil }
    self.init(record: record, stamp: stamp)
  }

  /// The version's bytes.
  var bytes: [UInt8] { record.bytes + Array("\(stamp)\n\(Self.end)\n".utf8) }
}
