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

/// The reason why a request can't be signed, or why a signature is configured wrongly.
///
/// No error contains a secret, a token, a query or a body.
public enum VendorSignatureError: Error, LoggableError, Sendable, Hashable {
  /// A region, a service, a key id, a token or a secret has characters that a signature can't carry.
  case illegalText(String)
  /// A presigned URL must be valid for 1 to 604,800 seconds.
  case expirationOutOfRange
  /// The parts of a configuration contradict each other; the text says which.
  case contradiction(String)
  /// The private key isn't an unencrypted RSA key of at least 1024 bits in PEM.
  case invalidPrivateKey
  /// The request has no authority, or no path that begins with a slash.
  case noTarget
  /// The request already has a field or query item that the signature adds, named here.
  case alreadySigned(String)
  /// The vendor requires a field that the request lacks.
  case missingField(String)
  /// The body can be read only once, but its hash is required before it is sent.
  ///
  /// - Parameter orElse: A remedy besides a replayable body, if there is one.
  case bodyNotReplayable(orElse: String?)
  /// The body is longer than the number of bytes of a form that is signed.
  case bodyTooLarge(limit: Int)
  /// Chunks are signed only if the length of the body is known in advance.
  case unknownLength
  /// The secret itself, or an unsigned body, is sent only over https.
  case requiresTLS(String)
  /// The source of credentials returned expired ones.
  case expiredCredentials
  /// The source of credentials threw an error; the underlying error of the `NetworkError` is that error.
  case sourceFailed
  /// The cryptographic library failed, or lacks the operation: CryptoKit has no RSA.
  case cryptography(String)
}

extension VendorSignatureError: CustomStringConvertible {
  /// The fault and the remedy.
  public var description: String {
    switch self {
    case .illegalText(let part):
      "The \(part) is empty or has characters that a signature can't carry; use visible ASCII characters, and no "
        + "comma or slash in an id."
    case .expirationOutOfRange:
      "A presigned URL is valid for 1 to 604800 seconds; choose a duration in that range."
    case .contradiction(let text): text
    case .invalidPrivateKey:
      "The private key can't be read; pass an unencrypted RSA key of at least 1024 bits in PEM."
    case .noTarget:
      "The request has no authority, or no path that begins with a slash; use an absolute URL."
    case .alreadySigned(let name):
      "The request already has \(name), which the signature adds; remove it, or limit this interceptor with only(for:)."
    case .missingField(let name):
      "The signature requires the field \(name); add it to the request."
    case .bodyNotReplayable(let alternative):
      "The signature covers the body, but the body can be read only once; make it .bytes, .file or "
        + ".restartable\(alternative.map { ", or \($0)" } ?? "")."
    case .bodyTooLarge(let limit):
      "The signature covers the content of the body, which is longer than \(limit) bytes; send a shorter one."
    case .unknownLength:
      "A body is signed in chunks only if its length is known; declare the length, or leave the body unsigned."
    case .requiresTLS(let part):
      "The signature \(part), which only https protects; use an https URL, or another method of signing."
    case .expiredCredentials:
      "The source of credentials returned expired ones; check the source and this device's clock."
    case .sourceFailed:
      "The source of credentials failed; see the underlying error."
    case .cryptography(let operation): CryptographyError(operation: operation).description
    }
  }
}
