import Cryptography
public import HTTPTypes
public import Interception

/// Requires that the responses to signed requests are signed by the server, and verifies them before they are
/// returned.
///
/// Use it if a response must not be forged or exchanged by an intermediary that sees the decrypted traffic,
/// such as a content delivery network. The server signs with ``ResponseSigner``. It isn't needed if TLS ends
/// at the server itself.
///
/// It stands at rank 530, after signing, so that it sees the nonce of the request, and after the cache, so
/// that only verified responses are stored; a response from the cache was verified before. Responses to
/// requests without a signature are returned as they are.
///
/// A response with a status below 400 must have a valid signature. Errors may be unsigned, because a server
/// can't sign the refusal of a request whose key it doesn't know, and gateways have no key; if an error has a
/// signature, it must be valid. An attacker can therefore forge an error, but no content.
///
/// A signature can only be verified with the whole content: a streamed body is collected up to a limit,
/// and a longer one fails with `bodyTooLarge`. Limit the interceptor with `only(for:)` to the APIs whose
/// responses are signed.
///
/// ```swift
/// let pipeline = try Pipeline(over: dispatcher) {
///   SigningInterceptor(key: key)
///   ResponseVerifyingInterceptor(keys: SigningKeys(key)).only(for: .authority("api.estate.example"))
/// }
/// ```
public struct ResponseVerifyingInterceptor: Interceptor {
  /// At rank 530, between the cache and the network, and after what is done at departure.
  public let traits = InterceptorTraits(stage: Stage(rank: 530, name: "response verification"))

  private let keys: any VerificationKeySource
  private let verification: ResponseVerification
  private let limit: Int

  /// Creates an interceptor.
  ///
  /// - Parameters:
  ///   - keys: The keys with which requests are signed; a response must have the key of its request.
  ///   - requiredFields: The header fields that a signature must cover if a response has them.
  ///   - limit: The maximum length of a streamed body in bytes, 8 MiB by default.
  public init(
    keys: some VerificationKeySource, requiring requiredFields: [HTTPField.Name] = [.contentType, .location],
    collectingUpTo limit: Int = 8 << 20
  ) {
    self.keys = keys
    verification = ResponseVerification(requiredFields: requiredFields)
    self.limit = max(limit, 0)
  }

  /// Sends the request, and returns the response if its signature is valid.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard let context = ResponseVerification.Context(request.head.headerFields) else {
      return try await next.dispatch(request)
    }
    let response = try await next.dispatch(request)
    let isSigned = response.head.headerFields.contains(SignatureFields.signature)
    guard isSigned || ResponseVerification.requiresSignature(response.status) else { return response }
    guard isSigned else { throw refusal(.missing(SignatureFields.signature)) }
    guard let key = keys.verificationKey(id: context.keyID) else { throw refusal(.unknownKey) }
    let buffered = try await response.buffered(upTo: limit)
    do throws(SignatureError) {
      try verification.verify(
        buffered.head, body: buffered.body.collectedBytes, for: context, with: key)
    } catch { throw refusal(error) }
    return buffered
  }

  private func refusal(_ error: SignatureError) -> NetworkError {
    let fault =
      switch error {
      case .missing(let name):
        "lacks the field \(name); have the server sign it, and proxies forward the field"
      case .malformed(let name): "has a malformed field \(name); check the server's signer"
      case .uncovered(let name): "has the field \(name) outside its signature; add it to the signer's fields"
      case .unsupportedVersion(let version):
        "is signed by version \(version) of the scheme, not \(SignatureText.version); update the older end"
      case .unknownKey: "belongs to a request of an unknown key; give the key to the interceptor"
      case .cryptography(let operation):
        "can't be verified: \(CryptographyError(operation: operation).description.dropLast())"
      default: "does not match its signature; compare the secrets, and check whether a proxy changes it"
      }
    return NetworkError(
      .rejected, "The response \(fault).", requestMayHaveBeenProcessed: true, underlying: error)
  }
}

extension ResponseBody {
  /// The content of a body in memory; a stream has none.
  fileprivate var collectedBytes: [UInt8] {
    if case .bytes(let bytes) = self { bytes } else { [] }
  }
}

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
    var values: [FieldText] = []
    for name in covered {
      guard let value = fields.bytes(of: name) else { throw .missing(name) }
      values.append(FieldText(value))
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
