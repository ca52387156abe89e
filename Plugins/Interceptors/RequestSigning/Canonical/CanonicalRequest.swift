import Interception

/// What a signature covers, as bytes that two different requests never share.
///
/// Every field is preceded by its length in eight bytes, most significant first: label, key id, time, nonce,
/// method, authority, API, path, SHA-256 of the parameters, SHA-256 of the body, names of the covered header
/// fields, and their values. The label is the version: whoever changes the form changes the label.
struct CanonicalRequest: Sendable, Hashable {
  /// The scheme and its version.
  static let label = "SWITCHYARD-HMAC-SHA256-V1"

  var keyID: String
  /// Whole seconds since 1970.
  var time: Int64
  var nonce: Nonce
  var method: String
  /// As ``CanonicalAuthority`` writes it.
  var authority: String
  /// As ``CanonicalAPI`` writes it.
  var api: String
  /// With its query, as sent.
  var path: String
  var bodyDigest: [UInt8]
  /// In lower case, joined by spaces.
  var coveredNames: String
  var coveredValues: [String]

  /// The bytes that are authenticated.
  func bytes() throws(CryptographyFailure) -> [UInt8] {
    var digest = try Digest()
    let parts = try parts(time: String(time), hashingIn: &digest)
    return FieldWriter.bytes(reserving: room(for: parts)) { write(parts, to: &$0) }
  }

  /// The signature under a key.
  func signature(with key: SigningKey) throws(CryptographyFailure) -> HashValue {
    try signature(with: key, time: String(time))
  }

  /// The signature under a key, where the time's decimal digits are at hand.
  func signature(with key: SigningKey, time text: String) throws(CryptographyFailure) -> HashValue {
    let prepared = try key.material.preparedKey(day: time / 86_400)
    return try key.material.withDigest { digest throws(CryptographyFailure) in
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

  /// What is worked out before the bytes are written.
  private struct Parts {
    let parameters: CanonicalParameters
    let time: String
  }

  private func parts(
    time: String, hashingIn digest: inout Digest
  ) throws(CryptographyFailure) -> Parts {
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
