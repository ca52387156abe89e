import Cryptography
import HTTPTypes

/// The content of a response's signature: length-prefixed fields, as in ``CanonicalRequest``, with the nonce
/// of the request that it responds to.
struct CanonicalResponse: Sendable, Hashable {
  /// The scheme and its version.
  static let label = "SWITCHYARD-HMAC-SHA256-V2-RESPONSE"

  var keyID: String
  /// The time of the request, in whole seconds since 1970.
  var requestTime: Int64
  var requestNonce: Nonce
  /// The three digits of the status code.
  var status: String
  var bodyDigest: [UInt8]
  /// In lower case, joined by spaces.
  var coveredNames: String
  var coveredValues: [String]

  /// The bytes that are authenticated.
  var bytes: [UInt8] {
    var fields = LengthPrefixed(reserving: 256)
    fields.append(Self.label)
    fields.append(keyID)
    fields.append(String(requestTime))
    fields.append(requestNonce.description)
    fields.append(status)
    fields.append(bodyDigest)
    fields.append(coveredNames)
    for value in coveredValues { fields.append(value) }
    return fields.bytes
  }

  /// Returns the signature with a key, derived for the day of the request's time.
  func signature(with key: SigningKey) throws(CryptographyError) -> [UInt8] {
    let prepared = try key.material.preparedKey(day: requestTime / 86_400)
    let bytes = bytes
    return try key.material.withDigest { digest throws(CryptographyError) in
      try prepared.tag(of: bytes, in: &digest)
    }
  }
}
