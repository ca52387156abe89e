#if LoopbackTesting
public import HTTPTypes

/// A request received by a loopback server.
public struct LoopbackRequest: Sendable {
  /// The method, scheme, authority, path and header fields.
  public var head: HTTPRequest
  /// The undecoded content; empty until it has arrived completely.
  public var body: [UInt8]
  /// The trailer fields.
  public var trailers: HTTPFields
  /// The version of HTTP.
  public let version: LoopbackVersion
  /// The number of the connection, starting at 1.
  public let connection: Int
  /// The stream identifier over HTTP/2; 0 over HTTP/1.1.
  let stream: Int
  /// The weight of the HTTP/2 stream, 1 to 256; nil if the client stated none, which means 16, and over
  /// HTTP/1.1.
  let streamWeight: Int?
  /// The size of the frames that carried the head over HTTP/2, compressed by HPACK; nil over HTTP/1.1.
  let headLength: Int?

  init(
    head: HTTPRequest, body: [UInt8], trailers: HTTPFields, version: LoopbackVersion, connection: Int,
    stream: Int, streamWeight: Int? = nil, headLength: Int? = nil
  ) {
    self.head = head
    self.body = body
    self.trailers = trailers
    self.version = version
    self.connection = connection
    self.stream = stream
    self.streamWeight = streamWeight
    self.headLength = headLength
  }

  /// The method.
  public var method: HTTPRequest.Method { head.method }

  /// The path without its query.
  public var path: String {
    let path = head.path ?? "/"
    return path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
      ?? path
  }

  /// The query without its question mark; nil if there is none.
  public var query: String? {
    guard let path = head.path, let mark = path.firstIndex(of: "?") else { return nil }
    return String(path[path.index(after: mark)...])
  }

  /// Returns the values of a header field, in order.
  public func values(of field: HTTPField.Name) -> [String] { head.headerFields[values: field] }
}

#endif
