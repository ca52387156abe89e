import Cryptography
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
  /// Identifies this interceptor's logins in a request's identity.
  private let number = Request.Identity.newNumber()

  /// Creates an interceptor that signs for AWS, with credentials that never change.
  ///
  /// - Parameters:
  ///   - signature: The profile.
  ///   - credentials: The credentials.
  ///   - identity: Whose credentials they are: `.app` if they are the same for every user, so that responses
  ///     are stored as if requests were unsigned, or `.account(_:)`. By default their holder has no name but
  ///     the key's ID: responses are then stored in memory only, unless another interceptor or the caller
  ///     names the account.
  ///   - time: The clock used for signatures.
  public init(
    _ signature: AWSSignature, with credentials: VendorCredentials, identity: Request.Identity? = nil,
    time: TimeSource = .system
  ) {
    self.init(signature, with: credentials, by: identity, time)
  }

  /// Creates an interceptor that signs for AWS, with credentials from a source.
  ///
  /// New ones are obtained five minutes before the old ones expire, or half of their lifetime before, if that
  /// is later, by one request at a time.
  public init(
    _ signature: AWSSignature, from source: some VendorCredentialSource, time: TimeSource = .system
  ) {
    self.init(signature, from: source, time)
  }

  /// Creates an interceptor that signs for Alibaba Cloud, with credentials that never change.
  ///
  /// - Parameters:
  ///   - signature: The profile.
  ///   - credentials: The credentials.
  ///   - identity: Whose credentials they are; see ``init(_:with:identity:time:)-(AWSSignature,_,_,_)``.
  ///   - time: The clock used for signatures.
  public init(
    _ signature: AliyunSignature, with credentials: VendorCredentials, identity: Request.Identity? = nil,
    time: TimeSource = .system
  ) {
    self.init(signature, with: credentials, by: identity, time)
  }

  /// Creates an interceptor that signs for Alibaba Cloud, with credentials from a source.
  public init(
    _ signature: AliyunSignature, from source: some VendorCredentialSource, time: TimeSource = .system
  ) {
    self.init(signature, from: source, time)
  }

  /// Creates an interceptor that signs by OAuth 1.0a.
  ///
  /// - Parameters:
  ///   - signature: The profile, with its keys.
  ///   - identity: Whose keys they are: `.app` or `.account(_:)`. By default their holder has no name but the
  ///     client key and the token.
  ///   - time: The clock used for signatures.
  public init(_ signature: OAuth1Signature, identity: Request.Identity? = nil, time: TimeSource = .system) {
    let identity = identity ?? signature.holder
    self.init(SignatureEngine(profile: signature, keys: .fixed(()), time: time) { _ in identity })
  }

  /// Creates an interceptor that adds a digest that doesn't withstand an attacker.
  ///
  /// - Parameters:
  ///   - digest: The profile, with its secret.
  ///   - identity: Whose secret it is: `.app` or `.account(_:)`. By default its holder has no name but the
  ///     API key.
  public init(_ digest: InsecureParameterDigest, identity: Request.Identity? = nil) {
    let identity = identity ?? .holder(ofDigest: HashValue.text(of: "parameter digest", digest.apiKey))
    self.init(SignatureEngine(profile: digest, keys: .fixed(()), time: .system) { _ in identity })
  }

  private init<Profile: SignatureProfile>(
    _ profile: Profile, with credentials: VendorCredentials, by identity: Request.Identity?,
    _ time: TimeSource
  ) where Profile.Key == VendorCredentials {
    let identity = identity ?? .holder(ofDigest: HashValue.text(of: "access key", credentials.keyID))
    self.init(SignatureEngine(profile: profile, keys: .fixed(credentials), time: time) { _ in identity })
  }

  private init<Profile: SignatureProfile>(
    _ profile: Profile, from source: some VendorCredentialSource, _ time: TimeSource
  ) where Profile.Key == VendorCredentials {
    self.init(
      SignatureEngine(profile: profile, keys: .rotating(source, time: time), time: time) { request in
        source.identity(for: request) ?? .unknown
      })
  }

  init(_ engine: some RequestSealing) {
    self.engine = engine
    var traits = InterceptorTraits(stage: .wire, allowsSeveral: true, requestBody: engine.bodyNeed)
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
    let sealed = try await request.withUnchangedLogin(of: number, present: { identity(for: request) }) {
      try await engine.sealed(request)
    }
    return try await next.dispatch(sealed)
  }

  /// Returns the request as it would be sent, for example a presigned URL that is handed to a web page.
  ///
  /// - Throws: A ``VendorSignatureError``, or the error of reading the body.
  public func signed(_ request: Request) async throws -> Request { try await engine.sealed(request) }
}

extension VendorSignatureInterceptor: Request.NoticingIdentityProvider {
  package var notice: String? {
    guard engine.identify(Request(authority: "localhost", path: "/")) == .unknown else { return nil }
    return
      "The source of credentials doesn't say whose they are, so requests are sent one by one, and only their "
      + "public responses are stored; return the account from its identity(for:), or .app if the credentials are "
      + "the same for every user."
  }

  package var presentLogin: Request.Identity? {
    engine.identify(Request(authority: "localhost", path: "/"))
  }

  package var namingRemedy: String { Request.remedyForUnnamedHolder }

  /// The identity of the holder of the credentials, or an unknown one.
  public func identity(for request: Request) -> Request.Identity? {
    guard !request.context.hasLeftOrigin else { return nil }
    let identity = engine.identify(request)
    return engine.hasFixedKey ? identity : identity.provided(by: number)
  }
}

extension VendorSignatureInterceptor: CustomReflectable {
  /// The traits, without the keys.
  public var customMirror: Mirror { Mirror(self, children: ["traits": traits]) }
}
