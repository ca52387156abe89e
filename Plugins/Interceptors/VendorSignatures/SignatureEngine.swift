import Cryptography
import HTTPTypes
import Interception

/// Signs requests by the rules of one profile: reads the body as far as the profile requires it, and adds the
/// profile's parts.
struct SignatureEngine<Profile: SignatureProfile>: RequestSealing {
  let profile: Profile
  let keys: KeySupply<Profile.Key>
  let time: TimeSource
  /// Returns on whose behalf a request is signed.
  let identify: @Sendable (Request) -> Request.Identity

  var bodyNeed: InterceptorTraits.RequestBodyNeed { profile.bodyNeed }
  var replayAlternative: String? { profile.replayAlternative }
  var hasFixedKey: Bool { if case .fixed = keys { true } else { false } }

  func sealed(_ request: Request) async throws -> Request {
    let head = request.head
    guard head.authority?.isEmpty == false, head.path?.utf8.first == UInt8(ascii: "/") else {
      throw VendorSignatureError(.noTarget)
    }
    let key: Profile.Key
    switch keys {
    case .fixed(let fixed): key = fixed
    case .changing(let current): key = try await current { [identify] in identify(request) }
    }
    var facts = SignedFacts(head: head)
    switch profile.payloadUse(of: head) {
    case .none: break
    case .hash: facts.hash = try await request.body.sha256(orElse: profile.replayAlternative)
    case .bytes(let limit): facts.bytes = try await request.body.signedBytes(limit: limit)
    }
    facts.body = request.body
    var request = request
    try profile.sign(facts, with: key, at: time.wallTime()).add(to: &request)
    return request
  }
}

/// Where a profile's key comes from.
enum KeySupply<Key: Sendable>: Sendable {
  /// A key that never changes.
  case fixed(Key)
  /// A key that is obtained for each request, on whose behalf it is signed.
  case changing(@Sendable (_ present: @Sendable () -> Request.Identity) async throws -> Key)
}

extension KeySupply<VendorCredentials> {
  /// Credentials that are obtained from a source before they expire.
  static func rotating(_ source: some VendorCredentialSource, time: TimeSource) -> Self {
    let rotation = CredentialRotation(source, time: time)
    return .changing { try await rotation.credentials(for: $0) }
  }
}

/// A ``SignatureEngine`` of any profile.
protocol RequestSealing: Sendable {
  /// How the body is used.
  var bodyNeed: InterceptorTraits.RequestBodyNeed { get }
  /// A remedy besides a replayable body.
  var replayAlternative: String? { get }
  /// Returns on whose behalf a request is signed.
  var identify: @Sendable (Request) -> Request.Identity { get }
  /// Whether the key never changes.
  var hasFixedKey: Bool { get }

  /// Returns the request with its signature.
  func sealed(_ request: Request) async throws -> Request
}

/// The rules of a vendor: a pure function from a request's facts to the parts that a signature adds.
protocol SignatureProfile: Sendable {
  /// What the vendor signs with.
  associatedtype Key: Sendable

  /// How the interceptor must declare the use of the body.
  var bodyNeed: InterceptorTraits.RequestBodyNeed { get }

  /// A remedy besides a replayable body, for a body that can be read only once; nil if there is none.
  var replayAlternative: String? { get }

  /// Returns what must be known of a request's body.
  func payloadUse(of head: HTTPRequest) -> PayloadUse

  /// Returns the parts that a signature adds to a request.
  func sign(
    _ request: SignedFacts, with key: Key, at time: WallTime
  ) throws(VendorSignatureError) -> SignatureParts
}

extension SignatureProfile {
  var replayAlternative: String? { nil }
}

/// What a signature must know of a request's body.
enum PayloadUse: Sendable, Hashable {
  /// Nothing, or its length.
  case none
  /// Its SHA-256.
  case hash
  /// Its bytes, at most `limit`.
  case bytes(limit: Int)
}

/// The facts of a request that a signature covers.
struct SignedFacts: Sendable {
  /// Method, scheme, authority, path and fields.
  let head: HTTPRequest
  /// The SHA-256 of the body, if the profile uses it.
  var hash: HashValue?
  /// The bytes of the body, if the profile uses them.
  var bytes: [UInt8] = []
  /// The body, for a profile that signs it while it is sent.
  var body: RequestBody = .empty

  init(
    head: HTTPRequest, hash: HashValue? = nil, bytes: [UInt8] = [], body: RequestBody = .empty
  ) {
    self.head = head
    self.hash = hash
    self.bytes = bytes
    self.body = body
  }

  /// The authority as it is sent in `Host`.
  var authority: String { head.authority ?? "" }

  /// Whether the connection is encrypted.
  var usesTLS: Bool { head.scheme.map { $0 == "https" || $0.lowercased() == "https" } ?? false }
}

/// The parts of a request that a signature adds or replaces.
struct SignatureParts: Sendable {
  /// The fields to add; existing ones of the same name are removed.
  var fields: [HTTPField] = []
  /// The names of those fields that are credentials, besides the usual ones.
  var credentialFields: [HTTPField.Name] = []
  /// The path with the query items that the signature adds.
  var path: String?
  /// The body as it is sent, if the signature is inside it.
  var body: RequestBody?

  /// Adds the parts to a request.
  func add(to request: inout Request) {
    var replaced = request.head.headerFields
    for field in fields where replaced.contains(field.name) { replaced[field.name] = nil }
    replaced.reserveCapacity(replaced.count + fields.count)
    for field in fields { replaced.append(field) }
    request.head.headerFields = replaced
    for name in credentialFields { request.context.addCredentialField(name) }
    if let path { request.head.path = path }
    if let body { request.body = body }
  }
}

extension HTTPField {
  /// Creates a field whose value never recurs, so that it is excluded from HPACK's dynamic table.
  init(unindexed name: HTTPField.Name, _ value: String) {
    self.init(name: name, value: value)
    indexingStrategy = .disallow
  }
}

extension HTTPField.Name {
  /// Creates a name from a literal of this module.
  // The fallback is never used: a test checks that every literal is a legal name.
  init(signature literal: String) { self = HTTPField.Name(literal) ?? .authorization }
}
