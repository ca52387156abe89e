public import HTTPTypes

/// What a loopback server answers: status, fields, content, trailers, and what goes wrong on the way.
///
/// ```swift
/// server.enqueue(.text("half of it").failing(.responseBody, .reset))
/// ```
public struct LoopbackAnswer: Sendable {
  /// How HTTP/1.1 tells the content's end; HTTP/2 needs none.
  public enum Framing: Sendable, Hashable {
    /// By `Content-Length`.
    case length
    /// By chunked coding, in chunks of at most this many bytes.
    case chunked(Int)
    /// By closing the connection.
    case untilClose
  }

  /// The status code, 200 to 599.
  public var status: Int
  /// The header fields; those of framing are added.
  public var fields: HTTPFields
  /// The content; not sent for HEAD, 204 and 304.
  public var content: LoopbackContent
  /// How HTTP/1.1 tells the content's end.
  public var framing: Framing
  /// The fields after the content; over HTTP/1.1 they need ``Framing/chunked(_:)``.
  public var trailers: HTTPFields
  /// What goes wrong, and when.
  public var faults: [LoopbackFault]

  /// Makes an answer.
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

  /// An answer of a text.
  public static func text(_ text: String, status: Int = 200) -> LoopbackAnswer {
    LoopbackAnswer(status: status, content: .bytes(Array(text.utf8)))
  }

  /// An answer of bytes.
  public static func bytes(_ bytes: [UInt8], status: Int = 200) -> LoopbackAnswer {
    LoopbackAnswer(status: status, content: .bytes(bytes))
  }

  /// Returns the answer with one more fault, placed on a moment.
  public func failing(_ moment: LoopbackMoment, _ effect: LoopbackEffect) -> LoopbackAnswer {
    var copy = self
    copy.faults.append(LoopbackFault(moment, effect))
    return copy
  }

  /// The length that the server tells.
  var announcedLength: Int64 {
    for fault in faults {
      if case .announceLength(let length) = fault.effect { return length }
    }
    return content.length
  }

  /// How fast the content is sent; nil means as fast as it goes.
  var pace: LoopbackPace? {
    for fault in faults {
      if case .slow(let pace) = fault.effect { return pace }
    }
    return nil
  }

  /// Whether content follows the head of the answer to a method.
  func hasContent(for method: HTTPRequest.Method) -> Bool {
    method != .head && status != 204 && status != 304
  }
}
