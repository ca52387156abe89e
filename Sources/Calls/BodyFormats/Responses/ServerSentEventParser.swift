package import Interception

/// Parses server-sent events from bytes that arrive in pieces of any size (WHATWG HTML, sections 9.2.5 and
/// 9.2.6).
///
/// The events do not depend on how the bytes are divided. An event that is not terminated by an empty line is
/// discarded.
package struct ServerSentEventParser: Sendable {
  /// The default maximum number of bytes of one line together with the data of its event: 1 MiB.
  package static let defaultLimit = 1 << 20

  /// The ID to send as `Last-Event-ID` when reconnecting, or an empty string.
  package private(set) var lastEventID: String
  /// The reconnection time that the server requested, or nil.
  package private(set) var retry: Duration?

  private let limit: Int
  private var input: [UInt8] = []
  private var place = 0
  private var line: [UInt8] = []
  private var isAfterCarriageReturn = false
  private var isFirstLine = true
  private var failure: NetworkError?

  private var type: [UInt8] = []
  private var data: [UInt8] = []
  private var idBuffer: String

  /// Creates a parser for one stream.
  ///
  /// - Parameters:
  ///   - lastEventID: The ID after which the stream was requested to continue; events without an ID have this
  ///     one.
  ///   - limit: The maximum number of bytes of one line together with the data of its event.
  package init(lastEventID: String = "", limit: Int = 1 << 20) {
    self.lastEventID = lastEventID
    self.limit = limit
    idBuffer = lastEventID
  }

  /// Appends the next bytes of the stream; ``next()`` parses them.
  package mutating func append(_ bytes: [UInt8]) {
    guard failure == nil else { return }
    if place == input.count {
      input = bytes
    } else {
      input.removeFirst(place)
      input += bytes
    }
    place = 0
  }

  /// Returns the next event, or nil if more bytes are needed.
  ///
  /// - Throws: `NetworkError.Kind.bodyTooLarge(limit:)` if a line or an event is longer than allowed, and
  ///   again from every later call.
  package mutating func next() throws(NetworkError) -> ServerSentEvent? {
    if let failure { throw failure }
    while place < input.count {
      if isAfterCarriageReturn {
        isAfterCarriageReturn = false
        if input[place] == 0x0A {
          place += 1
          continue
        }
      }
      let end = input[place...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? input.count
      try gather(input[place..<end])
      place = end
      guard end < input.count else { break }
      isAfterCarriageReturn = input[end] == 0x0D
      place += 1
      if let event = endLine() { return event }
    }
    return nil
  }

  private mutating func gather(_ piece: ArraySlice<UInt8>) throws(NetworkError) {
    guard line.count + data.count + piece.count <= limit else {
      let error = NetworkError(
        .bodyTooLarge(limit: Int64(limit)),
        "An event of the stream is longer than the \(limit) bytes allowed; raise the limit, or have the server send shorter events.",
        requestMayHaveBeenProcessed: true)
      failure = error
      (input, place, line, data) = ([], 0, [], [])
      throw error
    }
    line += piece
  }

  // MARK: Lines

  private mutating func endLine() -> ServerSentEvent? {
    var content = line[...]
    if isFirstLine {
      isFirstLine = false
      if content.starts(with: [0xEF, 0xBB, 0xBF]) { content = content.dropFirst(3) }
    }
    line = []
    guard !content.isEmpty else { return endEvent() }
    let colon = content.firstIndex(of: UInt8(ascii: ":"))
    var value = colon.map { content[($0 + 1)...] } ?? []
    if value.first == 0x20 { value = value.dropFirst() }
    switch String(decoding: content[..<(colon ?? content.endIndex)], as: UTF8.self) {
    case "event": type = Array(value)
    case "data":
      data += value
      data.append(0x0A)
    case "id": if !value.contains(0) { idBuffer = String(decoding: value, as: UTF8.self) }
    case "retry": setRetry(value)
    default: break  // Comments and unknown fields are ignored.
    }
    return nil
  }

  private mutating func setRetry(_ digits: ArraySlice<UInt8>) {
    guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return }
    let milliseconds = Int64(String(decoding: digits, as: UTF8.self)) ?? .max
    // A century is effectively forever, and adding to it cannot overflow.
    retry = .milliseconds(min(milliseconds, 3_155_760_000_000))
  }

  private mutating func endEvent() -> ServerSentEvent? {
    lastEventID = idBuffer
    defer { (type, data) = ([], []) }
    guard !data.isEmpty else { return nil }
    return ServerSentEvent(
      type: type.isEmpty ? "message" : String(decoding: type, as: UTF8.self),
      data: String(decoding: data.dropLast(), as: UTF8.self), lastEventID: idBuffer)
  }
}
