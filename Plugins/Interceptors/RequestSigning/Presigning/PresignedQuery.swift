import Cryptography
import HTTPTypes
import Interception

/// The signature of a URL that anyone who has it can use until it expires: its parameters, and its canonical
/// bytes.
///
/// The signature is the last parameter and covers all others, among which are the key id, the time, the
/// lifetime, the nonce and the API; besides, it covers the method, the authority and the path.
struct PresignedQuery: Sendable, Hashable {
  /// The scheme and its version.
  static let label = "SWITCHYARD-HMAC-SHA256-V2-QUERY"
  /// The maximum lifetime in seconds, seven days.
  static let maximumLifetime: Int64 = 604_800

  static let key = "switchyard-key"
  static let time = "switchyard-time"
  static let lifetime = "switchyard-expires"
  static let nonce = "switchyard-nonce"
  static let api = "switchyard-api"
  static let signature = "switchyard-signature"

  /// Returns the signature of a path whose query contains all parameters but the signature.
  static func signature(
    method: String, authority: String, path: String, time: Int64, with key: SigningKey
  ) throws(CryptographyError) -> [UInt8] {
    let prepared = try key.material.preparedKey(day: time / 86_400)
    var fields = LengthPrefixed(reserving: 256)
    fields.append(label)
    fields.append(method)
    fields.append(CanonicalAuthority.of(authority))
    fields.append(path)
    let bytes = fields.bytes
    return try key.material.withDigest { digest throws(CryptographyError) in
      try prepared.tag(of: bytes, in: &digest)
    }
  }

  /// Encodes a value for a query: every byte that is not unreserved is percent-encoded.
  static func escaped(_ text: String) -> String {
    var escaped = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        escaped.unicodeScalars.append(Unicode.Scalar(byte))
      default: escaped += "%" + Hexadecimal.encode([byte])
      }
    }
    return escaped
  }
}
