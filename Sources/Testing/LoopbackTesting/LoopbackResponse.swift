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
  public var content: LoopbackContent
  /// How HTTP/1.1 delimits the content.
  public var framing: Framing
  /// The trailer fields; HTTP/1.1 sends them only with ``Framing/chunked(_:)``.
  public var trailers: HTTPFields
  /// The faults and their moments.
  public var faults: [LoopbackFault]

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

  /// Returns a response with binary content.
  public static func bytes(_ bytes: [UInt8], status: Int = 200) -> LoopbackResponse {
    LoopbackResponse(status: status, content: .bytes(bytes))
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

/// The content of a loopback server's response.
public enum LoopbackContent: Sendable, Hashable {
  /// The given bytes.
  case bytes([UInt8])
  /// A number of bytes with a known pattern, generated while they are sent; see ``patternByte(at:)``.
  case pattern(Int64)

  /// The number of bytes.
  public var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .pattern(let length): max(length, 0)
    }
  }

  /// Returns the byte of the pattern at an offset; its period is 65,521, which no common chunk size is a
  /// multiple of.
  public static func patternByte(at offset: Int64) -> UInt8 {
    let place = offset % 65_521
    return UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8)
  }

  /// Returns the bytes in a range, which must be within the content.
  func slice(_ range: Range<Int64>) -> [UInt8] {
    switch self {
    case .bytes(let bytes): Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    case .pattern: Self.pattern(range)
    }
  }

  // A table of one period: generating byte by byte is too slow for megabytes in a debug build.
  private static let period: [UInt8] = (0..<65_521).map(patternByte)

  private static func pattern(_ range: Range<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while bytes.count < range.count {
      let start = Int((range.lowerBound + Int64(bytes.count)) % 65_521)
      bytes += period[start...].prefix(range.count - bytes.count)
    }
    return bytes
  }
}

/// A fault at a moment of an exchange; a value, so that a test can state it in one line.
public struct LoopbackFault: Sendable, Hashable {
  /// The moment of the fault.
  public let moment: LoopbackMoment
  /// The effect of the fault.
  public let effect: LoopbackEffect

  /// Creates a fault.
  public init(_ moment: LoopbackMoment, _ effect: LoopbackEffect) {
    self.moment = moment
    self.effect = effect
  }
}

/// A moment of an exchange, in chronological order.
public enum LoopbackMoment: String, Sendable, Hashable, CaseIterable {
  /// The request head has been read, but none of its content.
  case requestStart
  /// The first part of the request's content has been read; does not occur without content.
  case requestBody
  /// The whole request has been read, and nothing of the response has been sent.
  case responseStart
  /// The head and half of the response's content have been sent.
  case responseBody
  /// All content has been sent, but not the last chunk or HTTP/2's END_STREAM.
  case responseEnd
}

/// What a loopback server does instead of, or in addition to, its regular behavior.
public enum LoopbackEffect: Sendable, Hashable {
  /// Refuses the request: REFUSED_STREAM over HTTP/2, a connection reset over HTTP/1.1.
  case refuse
  /// Stops until the client gives up or the server is stopped.
  case stall
  /// Waits for a duration of the server's clock and continues.
  case delay(Duration)
  /// Closes the connection gracefully, after the data written so far.
  case close
  /// Resets the TCP connection immediately.
  case reset
  /// Ends the stream with RST_STREAM and an error code of RFC 9113, section 7; like ``reset`` over HTTP/1.1.
  case resetStream(UInt32)
  /// Sends GOAWAY with an error code, and continues this stream or leaves it unprocessed; like ``close`` over
  /// HTTP/1.1.
  case goAway(code: UInt32, processed: Bool)
  /// Sends bytes that are not part of any protocol, and continues.
  case garbage([UInt8])
  /// Sends an informational response, such as 103, and continues.
  case informational(Int)
  /// Sends the content slowly, from the start of the response; the moment is ignored.
  case slow(LoopbackPace)
  /// Announces a length that differs from the content's; the moment is ignored.
  case announceLength(Int64)
}

/// A rate for sending content: a number of bytes per tick of the server's clock.
public struct LoopbackPace: Sendable, Hashable {
  /// The number of bytes per tick; at least 1.
  public let bytes: Int
  /// The time between two ticks.
  public let tick: Duration

  /// Creates a pace.
  public init(bytes: Int = 1, every tick: Duration) {
    self.bytes = max(bytes, 1)
    self.tick = tick
  }
}
#endif
