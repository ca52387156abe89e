import Cryptography
import HTTPTypes
import Interception
import Synchronization

/// AWS Signature Version 4, of Amazon's services and of storage servers that are compatible with S3.
///
/// The signature covers method, path, query, the fields of the request, the time, and the body as ``Payload``
/// says. Fields that a proxy or the transport may change are left out: `Accept-Encoding`, `User-Agent`,
/// `X-Amzn-Trace-Id`, and those of the connection. Each is sent with the time of the attempt; servers accept
/// five minutes of difference, S3 fifteen.
///
/// A plus sign in a query is not a space; write a space as `%20`.
///
/// ```swift
/// let signature = try AWSSignature(region: "eu-central-1", service: "s3", payload: .chunked())
/// ```
public struct AWSSignature: Sendable {
  /// Where the signature is.
  public enum Placement: Sendable, Hashable {
    /// In the field `Authorization`.
    case fields
    /// In the query, so that the URL alone is sufficient for `lifetime`, 1 second to 7 days.
    case query(lifetime: Duration)
  }

  /// How the signature covers the body.
  public enum Payload: Sendable, Hashable {
    /// By its SHA-256; the body is read before it is sent, so it must be replayable.
    case hashed
    /// Not at all; only S3 accepts it. In fields it is refused without https.
    case unsigned
    /// In chunks that are signed while they are sent, which only S3 accepts
    /// (`STREAMING-AWS4-HMAC-SHA256-PAYLOAD`). The body may be one that is read once, but its length must be
    /// known.
    ///
    /// - Parameters:
    ///   - size: The number of bytes of a chunk, at least 8192.
    ///   - sendsChecksum: Whether a CRC-32C of the body (RFC 3720, appendix B.4), which S3 verifies, is sent
    ///     and signed after the last chunk, in the trailer `x-amz-checksum-crc32c`.
    case chunked(size: Int = 65_536, sendsChecksum: Bool = false)
  }

  /// How the path is covered.
  package enum PathForm: Sendable, Hashable {
    /// Without empty segments and dot segments, and encoded once more: the rule of all services but S3.
    case normalized
    /// As it is sent, and encoded once more.
    case unnormalized
    /// As it is sent: the rule of S3, where a path is the key of an object.
    case objectKey
  }

  /// The region, such as "eu-central-1".
  package let region: String
  /// The name of the service in credentials, such as "s3" or "execute-api".
  package let service: String
  /// Where the signature is.
  package let placement: Placement
  /// How the signature covers the body.
  package let payload: Payload
  /// How the path is covered.
  package let path: PathForm
  /// Whether the field `X-Amz-Content-SHA256` is added; S3 requires it.
  package let addsContentHash: Bool
  /// Whether the signature covers the session token; only a few services, such as AWS IoT, require false.
  package let signsSessionToken: Bool

  let keys: AWSKeyCache

  /// Creates a profile for a service in a region.
  ///
  /// - Parameters:
  ///   - region: The region, such as "eu-central-1".
  ///   - service: The name of the service in credentials, such as "s3" or "execute-api".
  ///   - placement: Where the signature is.
  ///   - payload: How the signature covers the body. By default `unsigned` for a URL of S3, and `hashed`
  ///     otherwise.
  ///   - addsContentHash: Whether the field `X-Amz-Content-SHA256` is added, which S3 requires. By default
  ///     true for S3, and wherever the body isn't hashed.
  ///   - signsSessionToken: Whether the signature covers the session token; only a few services, such as AWS
  ///     IoT, require false.
  /// - Throws: ``VendorSignatureError`` for a region or service with illegal characters, for a lifetime out
  ///   of range, and for chunks that are too small or together with a signature in the query.
  public init(
    region: String, service: String, placement: Placement = .fields, payload: Payload? = nil,
    addsContentHash: Bool? = nil, signsSessionToken: Bool = true
  ) throws(VendorSignatureError) {
    try self.init(
      region: region, service: service, placement: placement, payload: payload, path: nil,
      addsContentHash: addsContentHash, signsSessionToken: signsSessionToken)
  }

  /// Creates a profile of a service with its own rule for paths.
  ///
  /// - Parameter path: How the path is covered. By default `objectKey` for S3, and `normalized` otherwise.
  package init(
    region: String, service: String, placement: Placement = .fields, payload: Payload? = nil,
    path: PathForm?, addsContentHash: Bool? = nil, signsSessionToken: Bool = true
  ) throws(VendorSignatureError) {
    guard SignatureText.isIdentifier(region) else { throw VendorSignatureError(.illegalText("region")) }
    guard SignatureText.isIdentifier(service) else { throw VendorSignatureError(.illegalText("service")) }
    let storesObjects = service == "s3" || service.hasPrefix("s3-") || service == "s3express"
    var isURL = false
    if case .query(let lifetime) = placement {
      guard (.seconds(1) ... .seconds(604_800)).contains(lifetime) else {
        throw VendorSignatureError(.expirationOutOfRange)
      }
      isURL = true
    }
    let payload = payload ?? (storesObjects && isURL ? .unsigned : .hashed)
    if case .chunked(let size, _) = payload {
      guard !isURL else {
        throw VendorSignatureError(
          .contradiction("Chunks can't be signed by a signature in a query; place it in the fields."))
      }
      guard (8_192...1 << 30).contains(size) else {
        throw VendorSignatureError(
          .contradiction("A signed chunk has 8192 to 1073741824 bytes; choose a size in that range."))
      }
    }
    self.region = region
    self.service = service
    self.placement = placement
    self.payload = payload
    self.path = path ?? (storesObjects ? .objectKey : .normalized)
    self.addsContentHash = addsContentHash ?? ((storesObjects || payload != .hashed) && !isURL)
    self.signsSessionToken = signsSessionToken
    keys = AWSKeyCache(region: region, service: service)
  }
}

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
