import Cryptography
import HTTPTypes
import Interception
import Synchronization

/// The request signature V3 of Alibaba Cloud, ACS3-HMAC-SHA256.
///
/// It covers method, path, query, host, content type, the body's SHA-256, and all fields whose names begin
/// with `x-acs-`. The interceptor adds those for the time, a nonce and the hash; the request itself names the
/// action in `x-acs-action`. Servers accept fifteen minutes of difference.
///
/// A plus sign in a query is not a space; write a space as `%20`.
///
/// ```swift
/// var request = Request(
///   method: .post, authority: "ecs.cn-shanghai.aliyuncs.com", path: "/?RegionId=cn-shanghai")
/// if let action = HTTPField.Name("x-acs-action") { request.head.headerFields[action] = "RunInstances" }
/// let signature = try AliyunSignature(version: "2014-05-26")
/// ```
public struct AliyunSignature: Sendable {
  /// The version of the product's API, such as "2014-05-26".
  package let version: String

  let keys = AliyunKeyCache()
  let makeNonce: @Sendable () -> String

  /// Creates a profile for a product.
  ///
  /// - Parameter version: The version of the product's API, such as "2014-05-26". It is added as
  ///   `x-acs-version` to requests that don't name one themselves.
  /// - Throws: ``VendorSignatureError`` for a version with illegal characters.
  public init(version: String) throws(VendorSignatureError) {
    try self.init(version: version, nonces: RandomNonce.next)
  }

  init(version: String, nonces: @escaping @Sendable () -> String) throws(VendorSignatureError) {
    guard SignatureText.isIdentifier(version) else { throw VendorSignatureError(.illegalText("version")) }
    self.version = version
    makeNonce = nonces
  }
}

extension AliyunSignature: SignatureProfile {
  var bodyNeed: InterceptorTraits.RequestBodyNeed { .replayable }

  func payloadUse(of head: HTTPRequest) -> PayloadUse { .hash }

  func sign(
    _ request: SignedFacts, with key: VendorCredentials, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts {
    if let expires = key.expires, time >= expires { throw VendorSignatureError(.expiredCredentials) }
    let present = request.head.headerFields
    guard !present.contains(.authorization) else {
      throw VendorSignatureError(.alreadySigned("the field Authorization"))
    }
    guard present.contains(AliyunFields.action) else {
      throw VendorSignatureError(.missingField(AliyunFields.action.rawName))
    }
    var parts = SignatureParts()
    let hash = request.hash.map(Hexadecimal.encode) ?? Hexadecimal.encode(Digest.ofNothing)
    parts.fields = [
      HTTPField(unindexed: AliyunFields.date, SigningDate(time).extended),
      HTTPField(unindexed: AliyunFields.nonce, makeNonce()),
      HTTPField(unindexed: AliyunFields.contentHash, hash),
    ]
    if !present.contains(AliyunFields.version) {
      parts.fields.append(HTTPField(name: AliyunFields.version, value: version))
    }
    if let token = key.sessionToken {
      parts.fields.append(HTTPField(unindexed: AliyunFields.securityToken, token))
    }
    let covered = coveredFields(of: request, adding: parts.fields)
    let signature = try signature(
      of: canonicalRequest(request, covering: covered, contentHash: hash), with: keys.key(for: key))
    var authorization = CanonicalText(reserving: 256)
    authorization.append("\(AliyunFields.algorithm) Credential=\(key.keyID),SignedHeaders=")
    covered.writeNames(to: &authorization)
    authorization.append(",Signature=")
    authorization.append(signature)
    parts.fields.append(HTTPField(unindexed: .authorization, authorization.string))
    return parts
  }

  private func coveredFields(of request: SignedFacts, adding added: [HTTPField]) -> CanonicalFields {
    var covered = CanonicalFields(reserving: added.count + 4)
    covered.insert(HTTPField(name: AliyunFields.host, value: request.authority))
    for field in request.head.headerFields where AliyunFields.isCovered(field.name) {
      if !added.contains(where: { $0.name == field.name }) { covered.insert(field) }
    }
    for field in added { covered.insert(field) }
    return covered
  }

  private func canonicalRequest(
    _ request: SignedFacts, covering covered: CanonicalFields, contentHash: String
  ) -> CanonicalText {
    let target = TargetParts(request.head.path ?? "")
    var text = CanonicalText(reserving: 1_024)
    text.append(request.head.method.rawValue)
    text.endLine()
    CanonicalPath.writeEncodedOnce(target.path, to: &text)
    text.endLine()
    text.append(CanonicalPairs(query: target.query), covered, contentHash: contentHash)
    return text
  }

  private func signature(
    of canonical: CanonicalText, with key: PreparedKey
  ) throws(VendorSignatureError) -> HashValue {
    try keys.digests.withDigest { digest throws(CryptographyError) in
      let hash = try digest.hash(of: canonical.bytes)
      var text = CanonicalText(reserving: 96)
      text.append(AliyunFields.algorithm)
      text.endLine()
      text.append(hash)
      return try key.value(of: text.bytes, in: &digest)
    }
  }
}

/// The fields and constants of ACS3-HMAC-SHA256.
enum AliyunFields {
  static let host = HTTPField.Name(signature: "Host")
  static let action = HTTPField.Name(signature: "x-acs-action")
  static let version = HTTPField.Name(signature: "x-acs-version")
  static let date = HTTPField.Name(signature: "x-acs-date")
  static let nonce = HTTPField.Name(signature: "x-acs-signature-nonce")
  static let contentHash = HTTPField.Name(signature: "x-acs-content-sha256")
  static let securityToken = HTTPField.Name(signature: "x-acs-security-token")

  static let algorithm = "ACS3-HMAC-SHA256"

  /// All of them but the host.
  static let all: [HTTPField.Name] = [action, version, date, nonce, contentHash, securityToken]

  /// Whether the signature covers a field of a request.
  static func isCovered(_ name: HTTPField.Name) -> Bool {
    name == .contentType || name.canonicalName.hasPrefix("x-acs-")
  }
}

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
