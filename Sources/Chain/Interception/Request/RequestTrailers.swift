public import HTTPTypes

/// Fields that follow a request's content, and are formed once it has been read (RFC 9110, section 6.5).
///
/// Use them for what is known only then, such as a checksum of content that is produced while it is sent:
///
/// ```swift
/// func trailed(
///   _ request: Request, by name: HTTPField.Name, _ sum: @escaping @Sendable () -> String
/// ) -> Request {
///   var request = request
///   request.trailers = RequestTrailers([name]) { [name: sum()] }
///   return request
/// }
/// ```
///
/// Few servers read them, and intermediaries may drop them. Prefer a header field if its value is known
/// before.
///
/// `CurlDispatcher` sends them over HTTP/1.1, on a connection that carries no other request, and announces
/// them in the `Trailer` field; `URLSessionDispatcher` refuses a request that has them. They accompany the
/// content: a redirect that drops the content drops them, and each attempt forms them anew, so that a body
/// that can be opened again begins its checksum again. Compression leaves them unchanged, and the content too
/// if one is a digest of it; signatures do not cover them. A request that has them is not shared, cached or
/// merged, and queues, uploads and downloads of files refuse it.
public struct RequestTrailers: Sendable {
  /// The names of the fields, at least one, without repetitions.
  package let names: [HTTPField.Name]
  private let form: @Sendable () async throws(NetworkError) -> HTTPFields

  /// Creates trailer fields.
  ///
  /// - Parameters:
  ///   - names: The names of all fields that `form` may return. Sending fails with
  ///     ``NetworkError/Kind/invalidRequest`` if there are none, or if one must precede the content, such as
  ///     `Content-Length`, `Authorization` or `Cache-Control` (RFC 9110, section 6.5.1).
  ///   - form: Returns the fields, after the last byte of the content was read; it may leave some out. If it
  ///     throws, the request fails with that error, and the server receives an incomplete message.
  public init(
    _ names: [HTTPField.Name], form: @escaping @Sendable () async throws(NetworkError) -> HTTPFields
  ) {
    var unique: [HTTPField.Name] = []
    for name in names where !unique.contains(name) { unique.append(name) }
    self.names = unique
    self.form = form
  }

  /// The maximum size of all fields in bytes, which is that of libcurl with room for its separators.
  package static let sizeLimit = 60 << 10

  /// What is wrong with the names, including the remedy; nil if they are valid.
  package var fault: String? {
    if names.isEmpty { return "RequestTrailers has no names; name each field, or set no trailers." }
    guard let name = names.first(where: { Self.leading.contains($0.canonicalName) }) else { return nil }
    return "\(name.rawName) must precede the content, and is no trailer field; set it in the head."
  }

  /// Returns the fields, after the content was read.
  ///
  /// - Throws: What the closure throws, or ``NetworkError/Kind/invalidRequest`` for a field that was not
  ///   announced, or too many bytes.
  package func fields() async throws(NetworkError) -> HTTPFields {
    let fields = try await form()
    if let field = fields.first(where: { !names.contains($0.name) }) {
      throw NetworkError(
        .invalidRequest,
        "The trailer field \(field.name.rawName) was not announced; add its name to those of RequestTrailers."
      )
    }
    let size = fields.reduce(0) { $0 + $1.name.rawName.utf8.count + $1.withUnsafeBytesOfValue(\.count) + 4 }
    guard size <= Self.sizeLimit else {
      throw NetworkError(
        .invalidRequest,
        "The trailer fields have \(size) bytes of the \(Self.sizeLimit) that can be sent; shorten them.")
    }
    return fields
  }

  /// Returns the fields that are not credentials; nil if there are none.
  package func without(_ credentials: CredentialFields) -> RequestTrailers? {
    let kept = names.filter { !credentials.contains($0) }
    guard kept.count < names.count else { return self }
    guard !kept.isEmpty else { return nil }
    return RequestTrailers(kept) { () throws(NetworkError) in
      var fields = try await self.fields()
      fields.removeAll { credentials.contains($0.name) }
      return fields
    }
  }

  /// Fields for framing, routing, authentication, conditions and the description of the content, in
  /// lowercase.
  private static let leading: Set<String> = [
    "age", "authorization", "cache-control", "connection", "content-encoding", "content-length",
    "content-range", "content-type", "cookie", "expect", "host", "if-match", "if-modified-since",
    "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "max-forwards", "pragma",
    "proxy-authorization", "proxy-connection", "range", "set-cookie", "te", "trailer", "transfer-encoding",
    "upgrade",
  ]
}
