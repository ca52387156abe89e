/// The request signature V3 of Alibaba Cloud, ACS3-HMAC-SHA256.
///
/// It covers method, path, query, host, content type, the body's SHA-256, and all fields whose names begin
/// with `x-acs-`. The interceptor adds those for the time, a nonce and the hash; the request itself names the
/// action in `x-acs-action`. Servers accept fifteen minutes of difference.
///
/// A plus sign in a query is not a space; write a space as `%20`.
///
/// ```swift
/// var request = Request(
///   method: .post, authority: "ecs.cn-shanghai.aliyuncs.com", path: "/?RegionId=cn-shanghai")
/// if let action = HTTPField.Name("x-acs-action") { request.head.headerFields[action] = "RunInstances" }
/// let signature = try AliyunSignature(version: "2014-05-26")
/// ```
public struct AliyunSignature: Sendable {
  /// The version of the product's API, such as "2014-05-26".
  public let version: String

  let keys = AliyunKeyCache()
  let makeNonce: @Sendable () -> String

  /// Creates a profile for a product.
  ///
  /// - Parameter version: Added as `x-acs-version` to requests that don't name one themselves.
  /// - Throws: ``VendorSignatureError`` for a version with illegal characters.
  public init(version: String) throws(VendorSignatureError) {
    try self.init(version: version, nonces: RandomNonce.next)
  }

  init(version: String, nonces: @escaping @Sendable () -> String) throws(VendorSignatureError) {
    guard SignatureText.isIdentifier(version) else { throw .illegalText("version") }
    self.version = version
    makeNonce = nonces
  }
}
