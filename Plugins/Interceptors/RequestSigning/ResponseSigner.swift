import Cryptography
public import HTTPTypes
import Interception

/// Signs responses on the server, each for the verified request that it responds to.
///
/// A signature covers the status, chosen header fields and the content, and the nonce of the request: it
/// proves to the client that the server which knows the key has sent this response to this request.
///
/// ```swift
/// let keys = SigningKeys(key)
/// let claims = try SignatureVerifier(keys: keys).verify(SignedRequest(request.head, body: body))
/// var response = HTTPResponse(status: .ok, headerFields: [.contentType: "application/json"])
/// for field in try ResponseSigner(keys: keys).sign(response, body: content, for: claims) {
///   response.headerFields.append(field)
/// }
/// ```
public struct ResponseSigner: Sendable {
  /// `Content-Type`, `Location` and `Cache-Control`.
  public static let usualFields: [HTTPField.Name] = [.contentType, .location, .cacheControl]

  private let keys: any VerificationKeySource
  private let covered: CoveredFields

  /// Creates a signer.
  ///
  /// - Parameters:
  ///   - keys: The keys of the verifier; a response is signed with the key of its request.
  ///   - covering: The header fields that the signature covers if a response has them.
  public init(keys: some VerificationKeySource, covering: [HTTPField.Name] = usualFields) {
    self.keys = keys
    covered = CoveredFields(covering)
  }

  /// Returns the fields to add to a response: `Switchyard-Fields`, if fields are covered, and
  /// `Switchyard-Signature`.
  ///
  /// - Parameters:
  ///   - head: The status and the fields of the response, before a content coding is applied.
  ///   - body: The content before any content coding; empty for a response to `HEAD` and for a status without
  ///     content.
  ///   - claims: The claims of the request.
  /// - Throws: ``SigningError``; also if the key of the request is not accepted any more.
  public func sign(
    _ head: HTTPResponse, body: [UInt8], for claims: SignatureClaims
  ) throws(SigningError) -> [HTTPField] {
    guard let key = keys.verificationKey(id: claims.keyID) else { throw SigningError.unknownKey }
    let present = covered.present(in: head.headerFields)
    do throws(CryptographyError) {
      let canonical = CanonicalResponse(
        keyID: claims.keyID, requestTime: claims.time.seconds, requestNonce: claims.nonce,
        status: String(head.status.code), bodyDigest: try Digest.sha256(body), coveredNames: present.names,
        coveredValues: present.values)
      let signature = SignatureText.encode(try canonical.signature(with: key))
      var fields: [HTTPField] = []
      if !present.values.isEmpty {
        fields.append(HTTPField(name: SignatureFields.covered, value: present.names))
      }
      fields.append(HTTPField(name: SignatureFields.signature, value: signature).unindexed)
      return fields
    } catch { throw SigningError(error) }
  }
}

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
  var coveredValues: [FieldText]

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
    for value in coveredValues { fields.append(value.bytes) }
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
