import Interception

/// What a signature covers, as bytes that two different requests never share.
///
/// Every field is preceded by its length in eight bytes, most significant first: label, key id, time, nonce,
/// method, authority, API, path, SHA-256 of the parameters, SHA-256 of the body, names of the covered header fields,
/// and their values. The label is the version: whoever changes the form changes the label.
struct CanonicalRequest: Sendable, Hashable {
  /// The scheme and its version.
  static let label = "SWITCHYARD-HMAC-SHA256-V1"

  var keyID: String
  /// Whole seconds since 1970.
  var time: Int64
  var nonce: Nonce
  var method: String
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
    return try bytes(hashingIn: &digest)
  }

  /// The signature under a key.
  func signature(with key: SigningKey) throws(CryptographyFailure) -> [UInt8] {
    let prepared = try key.material.preparedKey(day: time / 86_400)
    // One context for both hashes: to make one costs as much as to hash a hundred bytes.
    var digest = try Digest()
    let message = try bytes(hashingIn: &digest)
    return try prepared.tag(of: message, in: &digest)
  }

  private func bytes(hashingIn digest: inout Digest) throws(CryptographyFailure) -> [UInt8] {
    var query = QueryPairs(path)
    var form = LengthPrefixed(reserving: 512)
    form.append(Self.label)
    form.append(keyID)
    form.append(String(time))
    form.append(nonce.high, nonce.low)
    form.append(method)
    form.append(CanonicalAuthority.of(authority))
    form.append(api)
    form.append(path, upTo: query.pathCount)
    if query.bounds.isEmpty {
      form.append(Digest.ofNothing)
    } else {
      // Values of one name keep their order, which a server may well look at: `a=1&a=2` is not `a=2&a=1`.
      query.sortByName()
      var parameters = LengthPrefixed(reserving: query.bytes.count + query.bounds.count * 16 + 8)
      parameters.append(query)
      try digest.restart()
      try digest.update(parameters.bytes)
      form.append(try digest.value())
    }
    form.append(bodyDigest)
    form.append(coveredNames)
    for value in coveredValues { form.append(value) }
    return form.bytes
  }
}
