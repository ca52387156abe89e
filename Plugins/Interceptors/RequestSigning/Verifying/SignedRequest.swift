public import HTTPTypes

/// What a server received, as far as a signature covers it.
public struct SignedRequest: Sendable {
  /// The body, or its hash where the body is too long to be held.
  enum Body: Sendable {
    case bytes([UInt8])
    case digest([UInt8])
  }

  let method: String
  let authority: String
  let path: String
  let headerFields: HTTPFields
  let body: Body

  /// Takes the parts of a request whose body is in memory.
  ///
  /// - Parameters:
  ///   - authority: The `Host` field or `:authority`, as the client sent it: have a proxy pass it on
  ///     unchanged.
  ///   - path: The path with its query, as it was received and before any rewriting.
  ///   - body: The content after `Content-Encoding` was undone.
  public init(method: String, authority: String, path: String, headerFields: HTTPFields, body: [UInt8]) {
    self.method = method
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
    self.body = .bytes(body)
  }

  /// Takes the parts of a request whose body was hashed as it came in.
  ///
  /// - Parameter bodyDigest: The 32 bytes of the SHA-256 of the content after `Content-Encoding` was undone.
  public init(
    method: String, authority: String, path: String, headerFields: HTTPFields, bodyDigest: [UInt8]
  ) {
    self.method = method
    self.authority = authority
    self.path = path
    self.headerFields = headerFields
    self.body = .digest(bodyDigest)
  }

  /// Takes a head of swift-http-types, as Hummingbird hands it out, and the body.
  public init(_ head: HTTPRequest, body: [UInt8]) {
    self.init(
      method: head.method.rawValue, authority: head.authority ?? "", path: head.path ?? "",
      headerFields: head.headerFields, body: body)
  }

  func bodyDigest() throws(CryptographyFailure) -> [UInt8] {
    switch body {
    case .bytes(let bytes): try Digest.sha256(bytes)
    case .digest(let digest): digest
    }
  }
}
