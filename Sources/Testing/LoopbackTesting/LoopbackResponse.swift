#if LoopbackTesting
public import HTTPTypes

/// A loopback server's response: status, fields, content, trailers and faults.
///
/// ```swift
/// server.enqueue(.text("half of it").failing(.responseBody, .reset))
/// ```
public struct LoopbackResponse: Sendable {
  /// How HTTP/1.1 delimits the content; ignored by HTTP/2.
  public enum Framing: Sendable, Hashable {
    /// By `Content-Length`.
    case length
    /// By chunked transfer coding, in chunks of at most this many bytes.
    case chunked(Int)
    /// By closing the connection.
    case untilClose
  }

  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields; framing fields are added to them.
  public var fields: HTTPFields
  /// The content; not sent for HEAD, 204 and 304.
  var content: LoopbackContent
  /// How HTTP/1.1 delimits the content.
  var framing: Framing
  /// The trailer fields; HTTP/1.1 sends them only with ``Framing/chunked(_:)``.
  var trailers: HTTPFields
  /// The faults and their moments.
  var faults: [LoopbackFault]

  /// Creates a response.
  public init(
    status: Int = 200, fields: HTTPFields = [:], content: LoopbackContent = .bytes([]),
    framing: Framing = .length, trailers: HTTPFields = [:], faults: [LoopbackFault] = []
  ) {
    self.status = status
    self.fields = fields
    self.content = content
    self.framing = framing
    self.trailers = trailers
    self.faults = faults
  }

  /// Returns a response with text content.
  public static func text(_ text: String, status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(status: status, content: .bytes(Array(text.utf8)))
  }

  /// Returns a copy of the response with an additional fault.
  public func failing(_ moment: LoopbackMoment, _ effect: LoopbackEffect) -> LoopbackResponse {
    var copy = self
    copy.faults.append(LoopbackFault(moment, effect))
    return copy
  }

  /// The length that the response announces.
  var announcedLength: Int64 {
    for fault in faults {
      if case .announceLength(let length) = fault.effect { return length }
    }
    return content.length
  }

  /// The rate at which the content is sent; nil for no limit.
  var pace: LoopbackPace? {
    for fault in faults {
      if case .slow(let pace) = fault.effect { return pace }
    }
    return nil
  }

  /// Whether the response to a method has content after its head.
  func hasContent(for method: HTTPRequest.Method) -> Bool {
    method != .head && status != 204 && status != 304
  }
}

#endif
