import Cryptography
import HTTPTypes
import Interception

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
