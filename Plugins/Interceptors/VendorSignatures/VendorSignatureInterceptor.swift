public import Interception

/// Signs requests as a vendor of cloud services or an OAuth 1.0a server requires it.
///
/// Use it for servers that publish their own signature, each with its own profile: ``AWSSignature``,
/// ``AliyunSignature``, ``OAuth1Signature``, and ``InsecureParameterDigest`` for old servers that know
/// nothing better. Don't use it for servers of your own: `RequestSigning` has a scheme with a verifier and
/// replay protection, and needs no knowledge of the vendor's rules.
///
/// ```swift
/// let keys = try VendorCredentials(keyID: "AKIDEXAMPLE", secret: "a-secret-from-the-keychain")
/// let storage = try VendorSignatureInterceptor(
///   AWSSignature(region: "eu-central-1", service: "s3"), with: keys
/// ).only(for: .authority("estate.s3.eu-central-1.amazonaws.com"))
/// let pipeline = try Pipeline(over: dispatcher) { storage }
/// ```
///
/// It is the innermost stage, `wire`, because the signature covers the bytes that are sent: the body after
/// its content coding, and every field that outer stages have added. Each attempt and each hop of a redirect
/// is signed anew, but a request that a redirect has led to another origin is sent without a signature. Limit
/// the interceptor to the vendor's hosts with `only(for:)`.
///
/// A body that is hashed is read twice. Errors never contain a secret, and no text, dump or mirror reveals
/// one.
public struct VendorSignatureInterceptor: Interceptor {
  /// At stage `wire`; reads the request's body only if the signature covers it.
  ///
  /// A pipeline may have several, for different hosts.
  public let traits: InterceptorTraits

  private let engine: any RequestSealing

  /// Creates an interceptor that signs for AWS, with credentials that never change.
  public init(
    _ signature: AWSSignature, with credentials: VendorCredentials, time: TimeSource = .system
  ) {
    self.init(SignatureEngine(profile: signature, keys: .fixed(credentials), time: time))
  }

  /// Creates an interceptor that signs for AWS, with credentials from a source.
  ///
  /// New ones are obtained five minutes before the old ones expire, or half of their lifetime before, if that
  /// is later, by one request at a time.
  public init(
    _ signature: AWSSignature, from source: some VendorCredentialSource, time: TimeSource = .system
  ) {
    let rotation = CredentialRotation(source, time: time)
    self.init(
      SignatureEngine(
        profile: signature, keys: .changing { try await rotation.credentials() }, time: time))
  }

  /// Creates an interceptor that signs for Alibaba Cloud, with credentials that never change.
  public init(
    _ signature: AliyunSignature, with credentials: VendorCredentials, time: TimeSource = .system
  ) {
    self.init(SignatureEngine(profile: signature, keys: .fixed(credentials), time: time))
  }

  /// Creates an interceptor that signs for Alibaba Cloud, with credentials from a source.
  public init(
    _ signature: AliyunSignature, from source: some VendorCredentialSource, time: TimeSource = .system
  ) {
    let rotation = CredentialRotation(source, time: time)
    self.init(
      SignatureEngine(
        profile: signature, keys: .changing { try await rotation.credentials() }, time: time))
  }

  /// Creates an interceptor that signs by OAuth 1.0a.
  public init(_ signature: OAuth1Signature, time: TimeSource = .system) {
    self.init(SignatureEngine(profile: signature, keys: .fixed(()), time: time))
  }

  /// Creates an interceptor that adds a digest that doesn't withstand an attacker.
  public init(_ digest: InsecureParameterDigest) {
    self.init(SignatureEngine(profile: digest, keys: .fixed(()), time: .system))
  }

  init(_ engine: some RequestSealing) {
    self.engine = engine
    var traits = InterceptorTraits(stage: .wire, multiplicity: .many, requestBody: engine.bodyNeed)
    traits.replayAlternative = engine.replayAlternative
    self.traits = traits
  }

  /// Signs and sends the request.
  ///
  /// - Throws: The error of `next`, or a ``VendorSignatureError``, which a pipeline wraps in a
  ///   `NetworkError`.
  public func intercept(_ request: Request, next: some Dispatcher) async throws -> Response {
    // The signature may contain a token, or with PLAINTEXT a secret, which another server must not receive.
    guard !request.context.hasLeftOrigin else { return try await next.dispatch(request) }
    return try await next.dispatch(engine.sealed(request))
  }

  /// Returns the request as it would be sent, for example a presigned URL that is handed to a web page.
  ///
  /// - Throws: A ``VendorSignatureError``, or the error of reading the body.
  public func signed(_ request: Request) async throws -> Request { try await engine.sealed(request) }
}

extension VendorSignatureInterceptor: CustomReflectable {
  /// The traits, without the keys.
  public var customMirror: Mirror { Mirror(self, children: ["traits": traits]) }
}
