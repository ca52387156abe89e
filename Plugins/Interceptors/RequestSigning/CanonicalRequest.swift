import Cryptography
import Interception
import NonceStores

/// The content of a signature, in an encoding that is unique for each request.
///
/// Every field is preceded by its length in eight bytes, most significant first: label, key id, time, nonce,
/// method, authority, API, path and query as sent, SHA-256 of the body, names of the covered header fields,
/// and their values. The label contains the version and must change with the encoding.
///
/// Nothing of path and query is decoded or sorted, because servers differ in what they consider equal:
/// `a+b` and `a%20b`, `a` and `a=`, `a[]=1&a[0]=2` in another order. The order of parameters doesn't change
/// on the way.
struct CanonicalRequest: Sendable, Hashable {
  /// The scheme and its version, which is also part of ``SignatureText``.
  static let label = "SWITCHYARD-HMAC-SHA256-V2"

  var keyID: String
  /// Whole seconds since 1970.
  var time: Int64
  var nonce: Nonce
  var method: String
  /// As spelled by ``CanonicalAuthority``.
  var authority: String
  /// As encoded by ``CanonicalAPI``.
  var api: String
  /// With its query, as sent.
  var path: String
  var bodyDigest: [UInt8]
  /// In lower case, joined by spaces.
  var coveredNames: String
  var coveredValues: [FieldText]

  /// Returns the bytes that are authenticated.
  func bytes() -> [UInt8] {
    let time = String(time)
    return FieldWriter.bytes(reserving: room(forTime: time)) { write(time: time, to: &$0) }
  }

  /// Returns the signature with a key.
  func signature(with key: SigningKey) throws(CryptographyError) -> HashValue {
    try signature(with: key, time: String(time))
  }

  /// Returns the signature with a key; `text` is the time in decimal digits.
  func signature(with key: SigningKey, time text: String) throws(CryptographyError) -> HashValue {
    let prepared = try key.material.preparedKey(day: time / 86_400)
    return try key.material.withDigest { digest throws(CryptographyError) in
      try prepared.authenticate(in: &digest) { digest in
        FieldWriter.withBytes(reserving: room(forTime: text)) {
          write(time: text, to: &$0)
        } read: {
          digest.takes($0)
        }
      }
    }
  }

  private func room(forTime time: String) -> Int {
    var room = Self.label.utf8.count + keyID.utf8.count + time.utf8.count + method.utf8.count
    room += authority.utf8.count + api.utf8.count + path.utf8.count
    room += 16 + bodyDigest.count + coveredNames.utf8.count
    for value in coveredValues { room += value.bytes.count }
    return room + (11 + coveredValues.count) * FieldWriter.prefixSize
  }

  private func write(time: String, to fields: inout FieldWriter) {
    fields.append(Self.label)
    fields.append(keyID)
    fields.append(time)
    fields.append(nonce.high, nonce.low)
    fields.append(method)
    fields.append(authority)
    fields.append(api)
    fields.append(path)
    fields.append(bodyDigest)
    fields.append(coveredNames)
    for value in coveredValues { fields.append(value.bytes) }
  }
}

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
    if utf8[..<slash].allSatisfy(PercentEncoding.isUnreserved),
      rest.allSatisfy(PercentEncoding.isUnreserved)
    {
      return APIIdentity(service: String(text[..<slash]), name: String(Substring(rest)))
    }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, let service = unescaped(parts[0]), let name = unescaped(parts[1]) else {
      return nil
    }
    let api = APIIdentity(service: service, name: name)
    return encode(api) == text ? api : nil
  }

  /// Percent-encodes all but unreserved characters, with the lower-case digits that the scheme specifies.
  static func escaped(_ text: String) -> String {
    // The names of APIs usually consist of unreserved characters.
    let isPlain = text.utf8.withContiguousStorageIfAvailable { $0.allSatisfy(PercentEncoding.isUnreserved) }
    if isPlain == true { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if PercentEncoding.isUnreserved(byte) {
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
}

/// The canonical spelling of an authority, which both ends sign: lower case, without a default port.
enum CanonicalAuthority {
  /// Returns the canonical spelling.
  ///
  /// Ports 80 and 443 are dropped for any scheme, because a server behind a TLS terminator doesn't know the
  /// scheme that the client used.
  static func of(_ authority: String) -> String {
    // Almost every authority is a lower-case name, without a port or with one that is no default.
    let isCanonical = authority.utf8.withContiguousStorageIfAvailable { bytes in
      guard !bytes.contains(where: { (0x41...0x5A).contains($0) }) else { return false }
      guard let colon = bytes.lastIndex(of: UInt8(ascii: ":")) else { return true }
      // Three digits or fewer may be a default port, and an address in brackets needs a closer look.
      return bytes.count - colon > 4 && !bytes[colon...].contains(UInt8(ascii: "]"))
    }
    if isCanonical == true { return authority }
    let lowered = authority.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    guard let colon = lowered.lastIndex(of: UInt8(ascii: ":")),
      !lowered[colon...].contains(UInt8(ascii: "]"))
    else { return String(decoding: lowered, as: UTF8.self) }
    let port = String(decoding: lowered[(colon + 1)...], as: UTF8.self)
    let kept = ["", "80", "443"].contains(port) ? lowered[..<colon] : lowered[...]
    return String(decoding: kept, as: UTF8.self)
  }
}
