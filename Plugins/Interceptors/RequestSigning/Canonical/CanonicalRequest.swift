import Cryptography
import Interception

/// The content of a signature, in an encoding that is unique for each request.
///
/// Every field is preceded by its length in eight bytes, most significant first: label, key id, time, nonce,
/// method, authority, API, path, SHA-256 of the parameters, SHA-256 of the body, names of the covered header
/// fields, and their values. The label contains the version and must change with the encoding.
struct CanonicalRequest: Sendable, Hashable {
  /// The scheme and its version.
  static let label = "SWITCHYARD-HMAC-SHA256-V1"

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
  func bytes() throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    let parts = try parts(time: String(time), hashingIn: &digest)
    return FieldWriter.bytes(reserving: room(for: parts)) { write(parts, to: &$0) }
  }

  /// Returns the signature with a key.
  func signature(with key: SigningKey) throws(CryptographyError) -> HashValue {
    try signature(with: key, time: String(time))
  }

  /// Returns the signature with a key; `text` is the time in decimal digits.
  func signature(with key: SigningKey, time text: String) throws(CryptographyError) -> HashValue {
    let prepared = try key.material.preparedKey(day: time / 86_400)
    return try key.material.withDigest { digest throws(CryptographyError) in
      let parts = try parts(time: text, hashingIn: &digest)
      return try prepared.authenticate(in: &digest) { digest in
        FieldWriter.withBytes(reserving: room(for: parts)) {
          write(parts, to: &$0)
        } read: {
          digest.takes($0)
        }
      }
    }
  }

  /// Values computed before the bytes are written.
  private struct Parts {
    let parameters: CanonicalParameters
    let time: String
  }

  private func parts(
    time: String, hashingIn digest: inout Digest
  ) throws(CryptographyError) -> Parts {
    Parts(
      parameters: try CanonicalParameters(of: path, hashingIn: &digest), time: time)
  }

  private func room(for parts: Parts) -> Int {
    var room = Self.label.utf8.count + keyID.utf8.count + parts.time.utf8.count + method.utf8.count
    room += authority.utf8.count + api.utf8.count + parts.parameters.pathCount
    room += 16 + Digest.size + bodyDigest.count + coveredNames.utf8.count
    for value in coveredValues { room += value.utf8.count }
    return room + (12 + coveredValues.count) * FieldWriter.prefixSize
  }

  private func write(_ parts: Parts, to fields: inout FieldWriter) {
    fields.append(Self.label)
    fields.append(keyID)
    fields.append(parts.time)
    fields.append(nonce.high, nonce.low)
    fields.append(method)
    fields.append(authority)
    fields.append(api)
    fields.append(path, upTo: parts.parameters.pathCount)
    if let hash = parts.parameters.hash {
      hash.withBytes { fields.append($0) }
    } else {
      fields.append(Digest.ofNothing)
    }
    fields.append(bodyDigest)
    fields.append(coveredNames)
    for value in coveredValues { fields.append(value) }
  }
}
