import Cryptography
import HTTPTypes
import Interception

/// Signs requests by the rules of one profile: reads the body as far as the profile requires it, and adds the
/// profile's parts.
struct SignatureEngine<Profile: SignatureProfile>: RequestSealing {
  let profile: Profile
  let keys: KeySupply<Profile.Key>
  let time: TimeSource

  var bodyNeed: InterceptorTraits.RequestBodyNeed { profile.bodyNeed }
  var replayAlternative: String? { profile.replayAlternative }

  func sealed(_ request: Request) async throws -> Request {
    let head = request.head
    guard head.authority?.isEmpty == false, head.path?.utf8.first == UInt8(ascii: "/") else {
      throw VendorSignatureError.noTarget
    }
    let key: Profile.Key
    switch keys {
    case .fixed(let fixed): key = fixed
    case .changing(let current): key = try await current()
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
  /// A key that is obtained for each request.
  case changing(@Sendable () async throws -> Key)
}

/// A ``SignatureEngine`` of any profile.
protocol RequestSealing: Sendable {
  /// How the body is used.
  var bodyNeed: InterceptorTraits.RequestBodyNeed { get }
  /// A remedy besides a replayable body.
  var replayAlternative: String? { get }

  /// Returns the request with its signature.
  func sealed(_ request: Request) async throws -> Request
}
