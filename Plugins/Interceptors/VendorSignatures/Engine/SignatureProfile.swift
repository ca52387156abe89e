import HTTPTypes
import Interception

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
