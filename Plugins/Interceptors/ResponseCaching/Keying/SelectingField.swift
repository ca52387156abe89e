import HTTPTypes
import Interception

/// The normalization of a field that `Vary` names (RFC 9111, section 4.1).
///
/// White space around commas is insignificant, as is the case of language tags and codings and white space
/// around the semicolons of their weights. The order of a list is kept: many servers take the first language
/// as the preferred one. Within quoted strings nothing is changed.
enum SelectingField {
  /// Fields whose members are case-insensitive tokens with weights.
  private static let tokenLists: Set<String> = ["accept-language", "accept-encoding", "accept-charset"]

  /// Returns the normalized value of a field.
  static func normalized(_ value: String, of name: HTTPField.Name) -> String {
    let isTokenList = tokenLists.contains(name.canonicalName)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(value.utf8.count)
    var (isQuoted, isEscaped) = (false, false)
    for byte in value.utf8 {
      if isQuoted {
        bytes.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isQuoted = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "\""):
        isQuoted = true
        bytes.append(byte)
      case UInt8(ascii: ","):
        removeTrailingSpace(from: &bytes)
        bytes.append(byte)
      case UInt8(ascii: ";") where isTokenList:
        removeTrailingSpace(from: &bytes)
        bytes.append(byte)
      case UInt8(ascii: " "), UInt8(ascii: "\t"):
        let isSeparated = bytes.last == UInt8(ascii: ",") || isTokenList && bytes.last == UInt8(ascii: ";")
        if !bytes.isEmpty, !isSeparated { bytes.append(byte) }
      case UInt8(ascii: "A")...UInt8(ascii: "Z") where isTokenList:
        bytes.append(byte | 0x20)
      default: bytes.append(byte)
      }
    }
    if !isQuoted { removeTrailingSpace(from: &bytes) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func removeTrailingSpace(from bytes: inout [UInt8]) {
    while let last = bytes.last, last == UInt8(ascii: " ") || last == UInt8(ascii: "\t") {
      bytes.removeLast()
    }
  }
}
