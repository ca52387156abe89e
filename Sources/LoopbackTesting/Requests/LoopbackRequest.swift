public import HTTPTypes

/// What a loopback server received.
public struct LoopbackRequest: Sendable {
  /// Method, scheme, authority, path and header fields.
  public var head: HTTPRequest
  /// The content, as it came over the wire; empty until all of it has arrived.
  public var body: [UInt8]
  /// The fields after the content.
  public var trailers: HTTPFields
  /// The version of HTTP.
  public let version: LoopbackVersion
  /// The number of the connection, counted from 1.
  public let connection: Int
  /// The stream's number over HTTP/2; 0 over HTTP/1.1.
  public let stream: Int

  /// The method.
  public var method: HTTPRequest.Method { head.method }

  /// The path without its query.
  public var path: String {
    let path = head.path ?? "/"
    return path.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false).first.map(String.init)
      ?? path
  }

  /// The query without its question mark; nil where there is none.
  public var query: String? {
    guard let path = head.path, let mark = path.firstIndex(of: "?") else { return nil }
    return String(path[path.index(after: mark)...])
  }

  /// The values of a header field, in order.
  public func values(of field: HTTPField.Name) -> [String] { head.headerFields[values: field] }
}

/// A version of HTTP that a loopback server speaks.
public enum LoopbackVersion: String, Sendable, Hashable, CaseIterable {
  /// RFC 9112.
  case http1 = "HTTP/1.1"
  /// RFC 9113, offered by ALPN only.
  case http2 = "HTTP/2"
}
