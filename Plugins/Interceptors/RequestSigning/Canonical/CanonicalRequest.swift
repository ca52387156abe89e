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
  var coveredValues: [String]

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
    for value in coveredValues { room += value.utf8.count }
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
    for value in coveredValues { fields.append(value) }
  }
}
