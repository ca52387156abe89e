import HTTPTypes
import Interception
import RequestSigning

/// Verifies signatures of 1 KB requests, each once.
public struct VerifyLoad: Sendable {
  /// The number of requests that are signed in advance, and repeated before a new verifier each time.
  private static let poolSize = 4_096
  private let requests: [SignedRequest]
  private let keys: SigningKeys

  /// Signs the requests.
  public init() throws {
    keys = SigningKeys(try AppChain.key)
    let signer = RequestSigner(key: try AppChain.key)
    let body = ChainShape.kilobyte
    requests = try (0..<Self.poolSize).map { _ in
      var head = HTTPRequest(
        method: .post, scheme: "https", authority: "api.example.com", path: "/v1/notes?page=1",
        headerFields: [.contentType: "application/json"])
      let fields = try signer.sign(
        head, api: APIIdentity(service: "estate", name: "notes.add"), body: body, at: .now(), nonce: .random()
      )
      for field in fields { head.headerFields.append(field) }
      return SignedRequest(head, body: body)
    }
  }

  /// Verifies `count` requests; throws the first refusal.
  public func verify(_ count: Int) throws {
    var left = count
    while left > 0 {
      // Remembers the nonces of one round; the requests were signed before.
      let verifier = SignatureVerifier(keys: keys, start: WallTime(secondsSince1970: 0))
      for request in requests.prefix(left) { try verifier.verify(request) }
      left -= min(left, Self.poolSize)
    }
  }
}
