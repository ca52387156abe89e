import Cryptography
package import HTTPTypes
package import Interception

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
}

extension RequestSigner {
  /// Returns a request whose URL carries its signature, for a client without a key: a download link, an image
  /// in a page, a webhook.
  ///
  /// The URL can be used any number of times until it expires. The signature covers method, authority, path
  /// and all parameters as they are written, but neither header fields nor the body. Each client that has the
  /// URL has the access; treat it like a password.
  ///
  /// - Parameters:
  ///   - head: The request; its path must have no parameters that begin with `switchyard-`, and its fields
  ///     are returned unchanged.
  ///   - lifetime: The time for which the URL is valid, in whole seconds: at least one, at most seven days.
  ///   - time: The time from which it is valid; fractions of a second are ignored.
  package func presign(
    _ head: HTTPRequest, api: APIIdentity? = nil, expiresAfter lifetime: Duration, at time: WallTime,
    nonce: Nonce
  ) throws(SigningError) -> HTTPRequest {
    let seconds = min(max(lifetime.components.seconds, 1), PresignedQuery.maximumLifetime)
    var path = head.path ?? "/"
    path += path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    path += "\(PresignedQuery.key)=\(CanonicalAPI.escaped(key.id))&\(PresignedQuery.time)=\(time.seconds)"
    path += "&\(PresignedQuery.lifetime)=\(seconds)&\(PresignedQuery.nonce)=\(nonce)"
    if let api { path += "&\(PresignedQuery.api)=\(CanonicalAPI.escaped(CanonicalAPI.encode(api)))" }
    do throws(CryptographyError) {
      let signature = try PresignedQuery.signature(
        method: head.method.rawValue, authority: head.authority ?? "", path: path, time: time.seconds,
        with: key)
      var head = head
      head.path = "\(path)&\(PresignedQuery.signature)=\(SignatureText.encode(signature))"
      return head
    } catch { throw SigningError(error) }
  }
}

extension SignatureVerifier {
  /// Verifies a request whose URL carries its signature, and returns its claims.
  ///
  /// It accepts the URL any number of times until it expires; the verifier's window applies only to URLs
  /// whose time is in the future. The body and the header fields are not covered, so a request with a field
  /// that overrides the method is refused.
  ///
  /// - Throws: ``SignatureError``; after its lifetime, ``SignatureError/expired(ago:)``.
  @discardableResult
  package func verifyPresigned(_ request: SignedRequest) throws(SignatureError) -> SignatureClaims {
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
