import Interception
import Synchronization

/// A secret and the key of the day that was derived from it; shows neither.
final class KeyMaterial: Sendable {
  private let id: String
  private let secret: [UInt8]
  // Signing derives the same key all day long; two of three HMACs of a request are saved by remembering it.
  private let latest = Mutex<(day: Int64, key: PreparedKey)?>(nil)

  init(id: String, secret: [UInt8]) {
    self.id = id
    self.secret = secret
  }

  /// Returns the key of a day, counted from 1970-01-01 UTC, ready to sign with.
  func preparedKey(day: Int64) throws(CryptographyFailure) -> PreparedKey {
    if let known = latest.withLock({ $0?.day == day ? $0?.key : nil }) { return known }
    let key = try PreparedKey(derivedKey(day: day))
    latest.withLock { $0 = (day, key) }
    return key
  }

  /// Derives the key of a day, counted from 1970-01-01 UTC.
  func derivedKey(day: Int64) throws(CryptographyFailure) -> [UInt8] {
    var info = LengthPrefixed()
    info.append(CanonicalRequest.label)
    info.append(id)
    info.append(String(day))
    return try MessageAuthentication.hkdfSHA256(secret: secret, info: info.bytes, size: Digest.size)
  }
}

extension KeyMaterial: CustomReflectable, CustomStringConvertible, CustomDebugStringConvertible {
  /// Nothing: `dump` and `Mirror` must not find the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
  var description: String { "(secret)" }
  var debugDescription: String { description }
}
