import Cryptography
import Synchronization

/// The prepared key of the access key that was used last.
final class AliyunKeyCache: Sendable {
  private let latest = Mutex<(material: CredentialMaterial, key: PreparedKey)?>(nil)
  let digests = DigestReuse()

  /// Returns the prepared key of credentials.
  func key(for credentials: VendorCredentials) throws(VendorSignatureError) -> PreparedKey {
    let material = credentials.material
    let known = latest.withLock { latest in
      if let latest, latest.material === material { latest.key } else { PreparedKey?.none }
    }
    if let known { return known }
    let key: PreparedKey
    do throws(CryptographyError) { key = try PreparedKey(secret: material.secret) } catch {
      throw VendorSignatureError(error)
    }
    latest.withLock { $0 = (material, key) }
    return key
  }
}

extension AliyunKeyCache: CustomReflectable {
  /// Empty, so that `dump` and `Mirror` can't reveal material derived from the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
