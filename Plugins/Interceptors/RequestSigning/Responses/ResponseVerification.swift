import Cryptography
import HTTPTypes
import Interception

/// Decides whether a response has a valid signature for a request.
struct ResponseVerification: Sendable {
  /// The fields that a signature must cover if a response has them.
  let requiredFields: [HTTPField.Name]

  /// The key, time and nonce of a signed request.
  struct Context: Sendable, Hashable {
    let keyID: String
    let time: Int64
    let nonce: Nonce

    /// Reads the fields that signing added; nil if the request isn't signed.
    init?(_ fields: HTTPFields) {
      guard let keyID = fields[SignatureFields.key],
        let time = fields[SignatureFields.time].flatMap({ Int64($0) }),
        let nonce = fields[SignatureFields.nonce].flatMap({ Nonce($0) })
      else { return nil }
      self.keyID = keyID
      self.time = time
      self.nonce = nonce
    }
  }

  /// Whether a response must have a signature: successes and redirects must, but not errors, which
  /// intermediaries and a server that refuses the request create without a key.
  static func requiresSignature(_ status: HTTPResponse.Status) -> Bool { status.code < 400 }

  /// Verifies the signature of a response whose content is in memory.
  func verify(
    _ head: HTTPResponse, body: [UInt8], for request: Context, with key: SigningKey
  ) throws(SignatureError) {
    let fields = head.headerFields
    let texts = fields[values: SignatureFields.signature]
    guard let text = texts.first else { throw .missing(SignatureFields.signature) }
    guard texts.count == 1 else { throw .malformed(SignatureFields.signature) }
    let signature = try SignatureText.decode(text)
    let covered = try SignatureClaims.coveredFields(of: fields)
    for name in requiredFields where fields.contains(name) {
      guard covered.contains(name) else { throw .uncovered(name) }
    }
    var values: [String] = []
    for name in covered {
      guard let value = fields[name] else { throw .missing(name) }
      values.append(value)
    }
    let expected: [UInt8]
    do throws(CryptographyError) {
      expected = try CanonicalResponse(
        keyID: request.keyID, requestTime: request.time, requestNonce: request.nonce,
        status: String(head.status.code), bodyDigest: try Digest.sha256(body),
        coveredNames: covered.map(\.canonicalName).joined(separator: " "), coveredValues: values
      ).signature(with: key)
    } catch { throw .cryptography(operation: error.operation) }
    guard MessageAuthentication.areEqual(expected, signature) else { throw .mismatch }
  }
}
