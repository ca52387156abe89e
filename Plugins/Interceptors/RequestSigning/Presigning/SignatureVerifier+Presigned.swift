import Cryptography
import HTTPTypes
import Interception

extension SignatureVerifier {
  /// Verifies a request whose URL carries its signature, and returns its claims.
  ///
  /// It accepts the URL any number of times until it expires; the verifier's window applies only to URLs
  /// whose time is in the future. The body and the header fields are not covered, so a request with a field
  /// that overrides the method is refused.
  ///
  /// - Throws: ``SignatureError``; after its lifetime, ``SignatureError/expired(ago:)``.
  @discardableResult
  public func verifyPresigned(_ request: SignedRequest) throws(SignatureError) -> SignatureClaims {
    let now = time.wallTime()
    if let name = CoveredFields.uncoveredOverride(in: request.headerFields, covered: []) {
      throw .uncovered(name)
    }
    let (path, signature) = try Self.split(request.path)
    let parameters = try PresignedParameters(path)
    let signedAt = WallTime(secondsSince1970: parameters.time)
    let age = signedAt.duration(to: now)
    guard age >= .zero - window else { throw .staleTimestamp(skew: age) }
    guard age <= .seconds(parameters.lifetime) else {
      throw .expired(ago: age - .seconds(parameters.lifetime))
    }
    guard let key = keys.verificationKey(id: parameters.keyID) else { throw .unknownKey }
    let expected: [UInt8]
    do throws(CryptographyError) {
      expected = try PresignedQuery.signature(
        method: request.method, authority: request.authority, path: path, time: parameters.time, with: key)
    } catch { throw .cryptography(operation: error.operation) }
    guard MessageAuthentication.areEqual(expected, signature) else { throw .mismatch }
    return SignatureClaims(
      keyID: parameters.keyID, api: parameters.api, time: signedAt, nonce: parameters.nonce, coveredFields: []
    )
  }

  /// Splits a path before the parameter of the signature, which must be the last one.
  private static func split(_ path: String) throws(SignatureError) -> (path: String, signature: [UInt8]) {
    let text = Array(path.utf8)
    let mark = Array("&\(PresignedQuery.signature)=".utf8)
    guard let start = text.lastIndex(of: UInt8(ascii: "&")), text[start...].starts(with: mark) else {
      throw .missing(SignatureFields.signature)
    }
    let signature = try SignatureText.decode(
      String(decoding: text[(start + mark.count)...], as: UTF8.self))
    return (String(decoding: text[..<start], as: UTF8.self), signature)
  }
}

/// The parameters of a presigned URL, each of which occurs once.
private struct PresignedParameters {
  let keyID: String
  let time: Int64
  let lifetime: Int64
  let nonce: Nonce
  let api: APIIdentity?

  init(_ path: String) throws(SignatureError) {
    let items = QueryItems(path).items
    func value(_ parameter: String, _ name: HTTPField.Name) throws(SignatureError) -> String? {
      let values = items.filter { $0.name.elementsEqual(parameter.utf8) }
      guard values.count < 2 else { throw .malformed(name) }
      guard let bytes = values.first?.value else { return nil }
      guard let text = String(validating: bytes, as: UTF8.self) else { throw .malformed(name) }
      return text
    }
    func required(_ parameter: String, _ name: HTTPField.Name) throws(SignatureError) -> String {
      guard let text = try value(parameter, name) else { throw .missing(name) }
      return text
    }
    keyID = try required(PresignedQuery.key, SignatureFields.key)
    guard SigningKey.isValid(id: keyID) else { throw .malformed(SignatureFields.key) }
    let times = try (
      SignatureClaims.seconds(required(PresignedQuery.time, SignatureFields.time)),
      SignatureClaims.seconds(required(PresignedQuery.lifetime, SignatureFields.time))
    )
    guard let time = times.0, let lifetime = times.1, lifetime <= PresignedQuery.maximumLifetime else {
      throw .malformed(SignatureFields.time)
    }
    (self.time, self.lifetime) = (time, lifetime)
    guard let nonce = Nonce(try required(PresignedQuery.nonce, SignatureFields.nonce)) else {
      throw .malformed(SignatureFields.nonce)
    }
    self.nonce = nonce
    let text = try value(PresignedQuery.api, SignatureFields.api)
    api = text.flatMap(CanonicalAPI.decode)
    guard (text == nil) == (api == nil) else { throw .malformed(SignatureFields.api) }
    let signatures = items.contains { $0.name.elementsEqual(PresignedQuery.signature.utf8) }
    guard !signatures else { throw .malformed(SignatureFields.signature) }
  }
}
