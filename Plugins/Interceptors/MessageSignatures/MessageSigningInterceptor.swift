import HTTPTypes
public import Interception
// Nonces and their stores are part of this module's interface, and shared with RequestSigning.
@_exported public import NonceStores

/// Signs each request with HTTP Message Signatures (RFC 9421), and verifies those of responses if asked to.
///
/// Use it for servers that expect a signature of the standard, such as another company's API or a proxy that
/// verifies for many services. Between an app and its own server the `SigningInterceptor` of RequestSigning
/// is cheaper, corrects a wrong clock, and covers the API's identity; don't use both for one server.
///
/// It stands at stage `Stage.wire`, the innermost one: the signature covers the bytes that are sent, so
/// compression must already have coded the body, and each attempt, redirect and address gets a signature of
/// its own with a fresh time and nonce. A body in a file is read once more, in chunks, to hash it; a body
/// that can be read only once is refused by the pipeline.
///
/// ```swift
/// let key = try MessageKey(id: "app-1", algorithm: .ed25519, privateKeyPEM: pem)
/// let pipeline = try Pipeline(over: dispatcher) {
///   MessageSigningInterceptor(key: key, verifying: ResponseVerification(keys: MessageKeys(serverKey)))
/// }
/// ```
///
/// A request that a redirect has led to another origin is sent unsigned, also if a later redirect leads back.
/// If responses must be signed, it fails with ``MessageSignatureError``, because no response could be
/// verified.
///
/// A request for whose response a signature is demanded accepts no content coding: a digest is of the content
/// as it is sent (RFC 9530, section 2), but proxies also code a response after its server has signed it.
public struct MessageSigningInterceptor: Interceptor {
  /// At stage `Stage.wire`; reads the request's body, and that of the response if it is verified.
  public let traits: InterceptorTraits

  private let keys: any MessageKeySource
  /// Identifies this interceptor's logins in a request's identity.
  private let number = Request.Identity.newNumber()
  /// The key, if it never changes; saves an asynchronous call to the source.
  private let fixedKey: MessageKey?
  private let options: MessageSignatureOptions
  private let verification: ResponseVerification?
  private let verifier: MessageVerifier?
  private let time: TimeSource
  private let makeNonce: @Sendable () -> String

  /// Creates an interceptor with a source of keys.
  ///
  /// - Parameters:
  ///   - keys: Provides the key for each attempt; a request without a key is sent unsigned, and its response
  ///     isn't verified.
  ///   - options: What a signature covers.
  ///   - verifying: The keys and the policy for responses; nil accepts responses without a signature.
  ///   - time: The clock used for signatures.
  ///   - nonces: Creates a nonce for each signature, in printable ASCII; 128 random bits in hexadecimal
  ///     digits except in tests.
  public init(
    keys: some MessageKeySource, options: MessageSignatureOptions = .request,
    verifying: ResponseVerification? = nil, time: TimeSource = .system,
    nonces: (@Sendable () -> String)? = nil
  ) {
    traits = InterceptorTraits(
      stage: .wire, requestBody: .replayable,
      responseBodyLimit: verifying?.maximumBodySize)
    self.keys = keys
    fixedKey = (keys as? MessageKeys)?.current
    self.options = options
    verification = verifying
    verifier = verifying.map {
      // A response to a signature of this process can't have been received by one before.
      let start = $0.policy.bindsToRequest ? WallTime(secondsSince1970: 0) : nil
      return MessageVerifier(keys: $0.keys, policy: $0.policy, start: start, time: time)
    }
    self.time = time
    makeNonce = nonces ?? RandomNonces.drawing()
  }

  /// Creates an interceptor that signs every request with one key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - identity: Whose key it is: `.app` if it is the same for every user, so that responses are stored as
  ///     if requests were unsigned. See ``MessageKeys/init(_:accepting:identity:)``.
  ///   - options: What a signature covers.
  ///   - verifying: The keys and the policy for responses; nil accepts responses without a signature.
  ///   - time: The clock used for signatures.
  public init(
    key: MessageKey, identity: Request.Identity? = nil, options: MessageSignatureOptions = .request,
    verifying: ResponseVerification? = nil, time: TimeSource = .system
  ) {
    self.init(
      keys: MessageKeys(key, identity: identity), options: options, verifying: verifying, time: time)
  }

  /// Signs and sends the request, and verifies the response if that is demanded.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    guard !request.context.hasLeftOrigin else {
      guard verification == nil else { throw MessageSignatureError(.leftOrigin) }
      return try await next.dispatch(request)
    }
    let key: MessageKey?
    if let fixedKey { key = fixedKey } else { key = try await self.key(for: request) }
    guard let key else { return try await next.dispatch(request) }
    let signed = try await signed(request, by: key)
    let response = try await next.dispatch(signed)
    guard let verifier, let verification else { return response }
    let content = try await response.body.collect(upTo: verification.maximumBodySize)
    try verifier.verify(
      SignableMessage(response.head, content: content, trailers: response.trailers ?? [:]),
      inResponseTo: SignableMessage(signed.head))
    return response
  }

  private func key(for request: Request) async throws -> MessageKey? {
    do {
      return try await request.withUnchangedLogin(of: number, present: { identity(for: request) }) {
        try await keys.messageKey(for: request)
      }
    } catch {
      if error is NetworkError || error is CancellationError { throw error }
      throw NetworkError(foreign: error, from: "The source of message keys")
    }
  }

  private func signed(_ request: Request, by key: MessageKey) async throws -> Request {
    var content = SignableMessage.Content.bytes([])
    if let digest = options.digest, !request.body.isEmpty {
      let length = request.body.length ?? -1
      content = .digests([digest: try await request.body.digest(by: digest)], length: length)
    }
    let fields = try MessageSigner(key: key, options: options).sign(
      SignableMessage(request.head, content: content), at: time.wallTime(), nonce: makeNonce())
    var request = request
    for field in fields {
      if field.name == MessageSignatureFields.contentDigest { request.head.headerFields[field.name] = nil }
      request.head.headerFields.append(field)
    }
    if verification != nil { request.head.headerFields[.acceptEncoding] = nil }
    return request
  }
}

extension MessageSigningInterceptor: Request.NoticingIdentityProvider {
  package var notice: String? {
    guard keys.identity(for: Request(authority: "localhost", path: "/")) == nil else { return nil }
    return Request.notice(ofKeysFrom: type(of: keys))
  }

  package var presentLogin: Request.Identity? {
    keys.identity(for: Request(authority: "localhost", path: "/"))
  }

  package var namingRemedy: String { Request.remedyForUnnamedHolder }

  /// The identity of the source of keys, or an unknown one.
  public func identity(for request: Request) -> Request.Identity? {
    guard !request.context.hasLeftOrigin else { return nil }
    let identity = keys.identity(for: request) ?? .unknown
    return fixedKey == nil ? identity.provided(by: number) : identity
  }
}
