import Cryptography
import Interception

/// The unambiguous text of an API's identity: both names percent-encoded, joined by a slash.
enum CanonicalAPI {
  /// Encodes an identity; no identity is the empty text.
  static func encode(_ api: APIIdentity?) -> String {
    guard let api else { return "" }
    let (service, name) = (escaped(api.service), escaped(api.name))
    let count = service.utf8.count + 1 + name.utf8.count
    return String(unsafeUninitializedCapacity: count) { text in
      var end = text.update(fromContentsOf: service.utf8)
      text[end] = UInt8(ascii: "/")
      end += 1
      return text[end...].update(fromContentsOf: name.utf8)
    }
  }

  /// Decodes an identity; nil for any spelling that ``encode(_:)`` doesn't produce.
  static func decode(_ text: String) -> APIIdentity? {
    let utf8 = text.utf8
    guard let slash = utf8.firstIndex(of: UInt8(ascii: "/")) else { return nil }
    let rest = utf8[utf8.index(after: slash)...]
    if utf8[..<slash].allSatisfy(isUnreserved), rest.allSatisfy(isUnreserved) {
      return APIIdentity(service: String(text[..<slash]), name: String(Substring(rest)))
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let service = unescaped(parts[0]), let name = unescaped(parts[1]) else {
      return nil
    }
    let api = APIIdentity(service: service, name: name)
    return encode(api) == text ? api : nil
  }

  private static func escaped(_ text: String) -> String {
    // The names of APIs usually consist of unreserved characters.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(isUnreserved) }
    if isPlain == true { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isUnreserved(byte) {
        bytes.append(byte)
      } else {
        bytes.append(UInt8(ascii: "%"))
        bytes.append(contentsOf: Hexadecimal.encode([byte]).utf8)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      let digits = String(decoding: rest.prefix(2), as: UTF8.self)
      guard let value = Hexadecimal.decode(digits, count: 1) else { return nil }
      bytes.append(contentsOf: value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }

  /// Whether a byte is unreserved (RFC 3986, section 2.3).
  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
    case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
    default: false
    }
  }
}
