import Cryptography
public import HTTPTypes
import Interception

/// The parts of a received request that a signature covers.
public struct SignedRequest: Sendable {
  /// The body, or its hash if the body is too large to be kept in memory.
  enum Body: Sendable {
    case bytes([UInt8])
    case digest([UInt8])
  }

  let method: String
  let authority: String
  let path: String
  let headerFields: HTTPFields
  let body: Body

  /// Creates a signed request whose body is in memory.
  ///
  /// - Parameters:
  ///   - authority: The `Host` field or `:authority`, as sent by the client: configure proxies to forward it
  ///     unchanged.
  ///   - path: The path with its query, as received, before any rewriting.
  ///   - body: The content after removing any `Content-Encoding`.
  package init(method: String, authority: String, path: String, headerFields: HTTPFields, body: [UInt8]) {
    self.method = method
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
    self.body = .bytes(body)
  }

  /// Creates a signed request whose body was hashed while it was received.
  ///
  /// - Parameter bodyDigest: The 32 bytes of the SHA-256 of the content after removing any
  ///   `Content-Encoding`.
  package init(
    method: String, authority: String, path: String, headerFields: HTTPFields, bodyDigest: [UInt8]
  ) {
    self.method = method
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
    self.body = .digest(bodyDigest)
  }

  /// Creates a signed request from a head of swift-http-types, as provided by Hummingbird, and the body.
  public init(_ head: HTTPRequest, body: [UInt8]) {
    self.init(
      method: head.method.rawValue, authority: head.authority ?? "", path: head.path ?? "",
      headerFields: head.headerFields, body: body)
  }

  func bodyDigest() throws(CryptographyError) -> [UInt8] {
    switch body {
    case .bytes(let bytes): try Digest.sha256(bytes)
    case .digest(let digest): digest
    }
  }
}
