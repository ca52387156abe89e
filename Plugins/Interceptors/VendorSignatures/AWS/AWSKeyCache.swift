import Cryptography
import HTTPTypes
import Interception
import Synchronization

/// The signing key of the day, and the texts that are the same for many requests.
final class AWSKeyCache: Sendable {
  /// What the signatures of one second, by one access key, share.
  struct Moment: Sendable {
    let seconds: Int64
    let material: CredentialMaterial
    let key: PreparedKey
    /// The date, such as `20150830`.
    let day: String
    /// The scope, such as `20150830/us-east-1/service/aws4_request`.
    let scope: String
    /// The field `X-Amz-Date`.
    let dateField: HTTPField
  }

  private let region: String
  private let service: String
  private let latest = Mutex<Moment?>(nil)
  let digests = DigestReuse()

  init(region: String, service: String) {
    self.region = region
    self.service = service
  }

  /// Returns the key and the texts for a time.
  func moment(
    at time: WallTime, for credentials: VendorCredentials
  ) throws(VendorSignatureError) -> Moment {
    let material = credentials.material
    let known = latest.withLock { $0 }
    if let known, known.seconds == time.seconds, known.material === material { return known }
    let date = SigningDate(time)
    let (day, basic) = (date.day, date.basic)
    let key: PreparedKey
    if let known, known.day == day, known.material === material {
      key = known.key
    } else {
      do throws(CryptographyError) { key = try derivedKey(of: material, day: day) } catch {
        throw VendorSignatureError(error)
      }
    }
    let new = Moment(
      seconds: time.seconds, material: material, key: key, day: day,
      scope: "\(day)/\(region)/\(service)/aws4_request",
      dateField: HTTPField(unindexed: AWSFields.date, basic))
    latest.withLock { $0 = new }
    return new
  }

  /// Derives the key of a day: a chain of HMACs over day, region, service and a constant.
  private func derivedKey(of material: CredentialMaterial, day: String) throws(CryptographyError)
    -> PreparedKey
  {
    var key = Array("AWS4".utf8) + material.secret
    for part in [day, region, service, "aws4_request"] {
      key = try MessageAuthentication.hmacSHA256(key: key, message: Array(part.utf8))
    }
    return try PreparedKey(key)
  }
}

extension AWSKeyCache: CustomReflectable {
  /// Empty, so that `dump` and `Mirror` can't reveal material derived from the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
