import Cryptography
import HTTPTypes

/// The fields by which a server states digests of a file, or is asked to.
enum DigestFields {
  /// `Repr-Digest`: digests of the whole representation, also of a response with a part (RFC 9530, section
  /// 3).
  static let representation = name("Repr-Digest")
  /// `Content-Digest`: digests of a response's content (RFC 9530, section 2).
  static let content = name("Content-Digest")
  /// `Digest`: the obsolete form of `Repr-Digest` (RFC 3230, section 4.3.2).
  static let instance = name("Digest")
  /// `Want-Repr-Digest`: the algorithms that a client prefers (RFC 9530, section 4).
  static let wanted = name("Want-Repr-Digest")

  /// Returns the digests of the whole file that the fields of a response state, at most one per algorithm.
  ///
  /// They are those of `Repr-Digest`; otherwise those of `Content-Digest`, if the response contains the whole
  /// file; otherwise those of `Digest`. A field is ignored if it is malformed, or has only other algorithms.
  static func digests(in fields: HTTPFields, hasWholeContent: Bool) -> [FileDigest] {
    if let text = fields[representation], let digests = digests(ofDictionary: text), !digests.isEmpty {
      return digests
    }
    if hasWholeContent, let text = fields[content], let digests = digests(ofDictionary: text),
      !digests.isEmpty
    {
      return digests
    }
    return fields[instance].flatMap { digests(ofList: $0) } ?? []
  }

  /// Returns the digests of a dictionary by supported algorithms; nil if it is malformed.
  static func digests(ofDictionary text: String) -> [FileDigest]? {
    guard let dictionary = DigestDictionary(text) else { return nil }
    var digests: [FileDigest] = []
    for algorithm in FileDigest.Algorithm.allCases {
      guard let bytes = dictionary.members[algorithm.rawValue] else { continue }
      guard let digest = FileDigest(algorithm, stated: bytes) else { return nil }
      digests.append(digest)
    }
    return digests
  }

  /// Returns the digests of a `Digest` field by supported algorithms; nil if it is malformed.
  static func digests(ofList text: String) -> [FileDigest]? {
    var digests: [FileDigest.Algorithm: FileDigest] = [:]
    for element in text.utf8.split(separator: UInt8(ascii: ",")) {
      let trimmed = element.drop { $0 == 0x20 || $0 == 0x09 }
      guard !trimmed.isEmpty else { continue }
      guard let equals = trimmed.firstIndex(of: UInt8(ascii: "=")) else { return nil }
      let name = String(decoding: trimmed[..<equals], as: UTF8.self).lowercased()
      guard let algorithm = FileDigest.Algorithm(rawValue: name) else { continue }
      let value = trimmed[trimmed.index(after: equals)...].prefix { $0 != 0x20 && $0 != 0x09 }
      let bytes = Base64.decode(Array(value)[...])
      guard let digest = FileDigest(algorithm, stated: bytes) else { return nil }
      digests[algorithm] = digest
    }
    return FileDigest.Algorithm.allCases.compactMap { digests[$0] }
  }

  // The fallback is never used: a test checks that the literals above are legal names.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .contentLocation }
}

/// The value of a `Repr-Digest` or `Content-Digest` field: a dictionary of byte sequences (RFC 9651, section
/// 4.2.2, and RFC 9530, section 2).
///
/// A value that violates the syntax is ignored as a whole (RFC 9651, section 4.2), and so is one with a
/// member that is not a byte sequence. Parameters are skipped, because none are defined. Empty members count
/// as nothing, because an empty field beside another would otherwise make both void.
struct DigestDictionary: Sendable, Hashable {
  /// The byte sequences by their keys; of several with the same key, the last one.
  private(set) var members: [String: [UInt8]] = [:]

  /// Parses a value; returns nil if it is malformed.
  init?(_ text: String) {
    var parser = Parser(rest: Array(text.utf8)[...])
    parser.skipSeparators()
    while !parser.rest.isEmpty {
      guard let (key, value) = parser.member() else { return nil }
      members[key] = value
      parser.skipSpace()
      guard parser.rest.isEmpty || parser.rest.first == UInt8(ascii: ",") else { return nil }
      parser.skipSeparators()
    }
  }

  private struct Parser {
    var rest: ArraySlice<UInt8>

    mutating func skipSeparators() {
      rest = rest.drop { $0 == 0x20 || $0 == 0x09 || $0 == UInt8(ascii: ",") }
    }

    mutating func skipSpace() { rest = rest.drop { $0 == 0x20 || $0 == 0x09 } }

    /// Skips a character if it is the next one, and returns whether it was.
    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard rest.first == UInt8(ascii: character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    mutating func member() -> (key: String, value: [UInt8])? {
      guard let key = self.key(), take("="), let value = byteSequence() else { return nil }
      while take(";") {
        skipSpace()
        guard self.key() != nil else { return nil }
        if take("=") { guard skipItem() else { return nil } }
      }
      return (key, value)
    }

    private mutating func key() -> String? {
      guard let first = rest.first, (0x61...0x7A).contains(first) || first == UInt8(ascii: "*") else {
        return nil
      }
      let key = rest.prefix { byte in
        (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || "_-.*".utf8.contains(byte)
      }
      rest = rest.dropFirst(key.count)
      return String(decoding: key, as: UTF8.self)
    }

    private mutating func byteSequence() -> [UInt8]? {
      guard take(":"), let end = rest.firstIndex(of: UInt8(ascii: ":")) else { return nil }
      // A parser completes the padding (RFC 9651, section 4.2.7).
      let padding = [UInt8](repeating: UInt8(ascii: "="), count: (4 - (end - rest.startIndex) % 4) % 4)
      guard let bytes = Base64.decode(rest[..<end] + padding) else { return nil }
      rest = rest[(end + 1)...]
      return bytes
    }

    /// Skips the value of a parameter, and returns whether there was one.
    private mutating func skipItem() -> Bool {
      if take("\"") {
        while let byte = rest.popFirst() {
          if byte == UInt8(ascii: "\"") { return true }
          if byte == UInt8(ascii: "\\") { rest = rest.dropFirst() }
        }
        return false
      }
      let item = rest.prefix { (0x21...0x7E).contains($0) && !",;\"".utf8.contains($0) }
      rest = rest.dropFirst(item.count)
      return !item.isEmpty
    }
  }
}
