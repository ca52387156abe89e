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
    let query = path.utf8.contains(UInt8(ascii: "?")) ? QueryItems(path) : nil
    var form = LengthPrefixed(reserving: 512)
    form.append(Self.label)
    form.append(keyID)
    form.append(String(time))
    form.append(nonce.bytes)
    form.append(method)
    form.append(CanonicalAuthority.of(authority))
    form.append(api)
    form.append(query?.path ?? path)
    form.append(try Self.digest(of: query?.items ?? []))
    form.append(bodyDigest)
    form.append(coveredNames)
    for value in coveredValues { form.append(value) }
    return form.bytes
  }

  /// The signature under a key.
  func signature(with key: SigningKey) throws(CryptographyFailure) -> [UInt8] {
    let derived = try key.material.derivedKey(day: time / 86_400)
    return try MessageAuthentication.hmacSHA256(key: derived, message: try bytes())
  }

  /// The hash of parameters in the order of their names.
  ///
  /// Values of one name keep their order, which a server may well look at: `a=1&a=2` is not `a=2&a=1`.
  private static func digest(of items: [QueryItems.Item]) throws(CryptographyFailure) -> [UInt8] {
    guard !items.isEmpty else { return Digest.ofNothing }
    let sorted = items.enumerated().sorted { left, right in
      left.element.name == right.element.name
        ? left.offset < right.offset : left.element.name.lexicographicallyPrecedes(right.element.name)
    }
    var form = LengthPrefixed()
    form.append(sorted.map(\.element))
    return try Digest.sha256(form.bytes)
  }
}
