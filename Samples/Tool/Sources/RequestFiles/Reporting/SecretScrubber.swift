/// Hides secrets in texts and files: as they are, and as encodings write them.
package struct SecretScrubber: Sendable {
  private static let mark = Array("██".utf8)
  /// The byte sequences to hide, the longest first, because a part of one would leave the rest.
  private var sequences: [[UInt8]] = []

  package init(_ secrets: [String]) {
    for secret in secrets { insert(secret) }
  }

  /// Hides a further secret; an empty one is ignored.
  mutating func insert(_ secret: String) {
    guard !secret.isEmpty else { return }
    let bytes = Array(secret.utf8)
    let forms = [
      secret, JSONText.escaped(secret), PercentText.encoded(secret),
      PercentText.encoded(secret).replacing("%20", with: "+"), PercentText.encoded(secret, keeping: "/"),
      XMLText.escaped(secret), Base64Text.text(bytes), Base64Text.text(bytes, isForURLs: true),
      Hexadecimal.text(bytes),
    ]
    add(forms.map { Array($0.utf8) })
  }

  /// Hides what another scrubber hides, too.
  package mutating func formUnion(_ other: SecretScrubber) { add(other.sequences) }

  private mutating func add(_ others: [[UInt8]]) {
    sequences = Set(sequences).union(others).sorted { $0.count > $1.count }
  }

  /// Returns a text without the secrets.
  package func text(_ text: String) -> String {
    sequences.isEmpty ? text : String(decoding: bytes(Array(text.utf8)), as: UTF8.self)
  }

  /// Returns JSON without the secrets in its strings; names of members and numbers stay, so that it is JSON.
  package func json(_ json: [UInt8]) -> [UInt8] {
    guard !sequences.isEmpty else { return json }
    let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
    var result: [UInt8] = []
    result.reserveCapacity(json.count)
    var index = 0
    while index < json.count {
      result.append(json[index])
      index += 1
      guard result.last == quote else { continue }
      let start = index
      while index < json.count, json[index] != quote { index += json[index] == backslash ? 2 : 1 }
      index = min(index, json.count)
      let content = Array(json[start..<index])
      let following = json[index...].dropFirst().first { $0 > 0x20 }
      result += following == UInt8(ascii: ":") ? content : bytes(content)
      guard index < json.count else { break }
      result.append(quote)
      index += 1
    }
    return result
  }

  /// Returns bytes without the secrets.
  package func bytes(_ bytes: [UInt8]) -> [UInt8] {
    guard !sequences.isEmpty else { return bytes }
    var starts = [Bool](repeating: false, count: 256)
    for sequence in sequences { starts[Int(sequence[0])] = true }
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    var index = 0
    while index < bytes.count {
      if starts[Int(bytes[index])], let found = sequences.first(where: { bytes[index...].starts(with: $0) }) {
        result += Self.mark
        index += found.count
      } else {
        result.append(bytes[index])
        index += 1
      }
    }
    return result
  }
}

/// Percent-encoding (RFC 3986, section 2).
enum PercentText {
  /// Returns a text in which every byte is encoded that is not unreserved.
  static func encoded(_ text: String, keeping kept: String = "") -> String {
    var result = ""
    for byte in text.utf8 {
      let isLetter = (0x61...0x7A).contains(byte | 0x20) && byte < 0x80
      if isLetter || (0x30...0x39).contains(byte) || "-._~".utf8.contains(byte) || kept.utf8.contains(byte) {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + Hexadecimal.text([byte]).uppercased()
      }
    }
    return result
  }

  /// Returns a text with its escapes decoded; nil if it is not UTF-8 then.
  static func decoded(_ text: String, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      let digits = rest.prefix(2)
      if byte == UInt8(ascii: "%"), let decoded = Hexadecimal.bytes(Substring(digits)), decoded.count == 1 {
        bytes += decoded
        rest = rest.dropFirst(2)
      } else {
        bytes.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// Text in XML.
enum XMLText {
  /// Returns a text as content or attribute; characters that XML can't have are replaced.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\t", "\n", "\r": result += "&#\(scalar.value);"
      case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
