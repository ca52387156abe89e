import Cryptography
public import HTTPTypes
public import Interception

extension RequestSigner {
  /// Returns a request whose URL carries its signature, for a client without a key: a download link, an image
  /// in a page, a webhook.
  ///
  /// The URL can be used any number of times until it expires. The signature covers method, authority, path
  /// and all parameters as they are written, but neither header fields nor the body. Each client that has the
  /// URL has the access; treat it like a password.
  ///
  /// - Parameters:
  ///   - head: The request; its path must have no parameters that begin with `switchyard-`, and its fields
  ///     are returned unchanged.
  ///   - lifetime: The time for which the URL is valid, in whole seconds: at least one, at most seven days.
  ///   - time: The time from which it is valid; fractions of a second are ignored.
  public func presign(
    _ head: HTTPRequest, api: APIIdentity? = nil, expiresAfter lifetime: Duration, at time: WallTime,
    nonce: Nonce
  ) throws(SigningError) -> HTTPRequest {
    let seconds = min(max(lifetime.components.seconds, 1), PresignedQuery.maximumLifetime)
    var path = head.path ?? "/"
    path += path.utf8.contains(UInt8(ascii: "?")) ? "&" : "?"
    path += "\(PresignedQuery.key)=\(PresignedQuery.escaped(key.id))&\(PresignedQuery.time)=\(time.seconds)"
    path += "&\(PresignedQuery.lifetime)=\(seconds)&\(PresignedQuery.nonce)=\(nonce)"
    if let api { path += "&\(PresignedQuery.api)=\(PresignedQuery.escaped(CanonicalAPI.encode(api)))" }
    do throws(CryptographyError) {
      let signature = try PresignedQuery.signature(
        method: head.method.rawValue, authority: head.authority ?? "", path: path, time: time.seconds,
        with: key)
      var head = head
      head.path = "\(path)&\(PresignedQuery.signature)=\(SignatureText.encode(signature))"
      return head
    } catch { throw SigningError(error) }
  }
}
