public import HTTPTypes

extension Request {
  /// Creates a request for a URL.
  ///
  /// ```swift
  /// let request = try Request("https://api.example.com/homes/42?fields=street")
  /// ```
  ///
  /// The URL is absolute (RFC 3986, section 4.3). Characters outside ASCII in its path and query are
  /// percent-encoded as UTF-8 (RFC 3987, section 3.1), and its fragment is not sent (RFC 9110, section 7.1).
  /// Everything else is sent as written; to add values that need encoding to a query, use `appendQuery(_:)`
  /// of `BodyFormats`. The scheme and the host are checked by the dispatcher.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest`` if the URL has no scheme or no host, contains a user name
  ///   or password, or contains a character that a URL cannot have. The error never repeats the URL.
  public init(
    _ url: String, method: HTTPRequest.Method = .get, headerFields: HTTPFields = [:],
    body: RequestBody = .empty
  ) throws(NetworkError) {
    let parts = try AbsoluteURL(url)
    self.init(
      method: method, scheme: parts.scheme, authority: parts.authority, path: parts.path,
      headerFields: headerFields, body: body)
  }
}
