#if LoopbackTesting
import HTTPTypes
import Interception
import NIOCore
import NIOHPACK
import NIOHTTP2
import SwitchyardTesting

/// The destination of a response: an HTTP/1.1 connection or an HTTP/2 stream.
protocol ResponseSink: Sendable {
  /// Writes an informational response head.
  func informational(_ status: Int) async throws
  /// Writes the response head; `isWhole` means that nothing follows it.
  func head(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws
  /// Writes content.
  func content(_ bytes: [UInt8], of response: LoopbackResponse) async throws
  /// Writes the end of the response.
  func end(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws
  /// Writes bytes that are not part of any protocol.
  func garbage(_ bytes: [UInt8]) async throws
  /// Refuses the request.
  func refuse() async
  /// Ends the stream with an error code.
  func resetStream(_ code: UInt32) async
  /// Announces the end of the connection; returns whether this exchange continues.
  func goAway(_ code: UInt32, processed: Bool) async -> Bool
  /// Closes the connection gracefully.
  func close() async
  /// Resets the connection.
  func reset() async
  /// Returns once the stream or the connection is closed by either side.
  func waitForClose() async
}

/// Writes responses as bytes to an HTTP/1.1 connection, so that they can be arbitrarily invalid.
struct HTTP1Sink: ResponseSink {
  let channel: any Channel
  let engine: ServerEngine

  func informational(_ status: Int) async throws {
    let reason = HTTPResponse.Status(code: status).reasonPhrase
    try await send(Array("HTTP/1.1 \(status) \(reason)\r\n\r\n".utf8))
  }

  func head(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws {
    let phrase = HTTPResponse.Status(code: response.status).reasonPhrase
    var head = Array("HTTP/1.1 \(response.status) \(phrase)\r\n".utf8)
    for field in response.fields { head += Self.line(field) }
    if response.status != 204, response.status != 304 {
      switch response.framing {
      case .length: head += "Content-Length: \(response.announcedLength)\r\n".utf8
      case .chunked: head += "Transfer-Encoding: chunked\r\n".utf8
      case .untilClose: head += "Connection: close\r\n".utf8
      }
    }
    try await send(head + "\r\n".utf8)
  }

  /// The line of a field, whose value need not be UTF-8.
  private static func line(_ field: HTTPField) -> [UInt8] {
    Array("\(field.name.rawName): ".utf8) + field.bytes + Array("\r\n".utf8)
  }

  func content(_ bytes: [UInt8], of response: LoopbackResponse) async throws {
    guard case .chunked(let size) = response.framing else {
      try await send(bytes)
      return count(bytes)
    }
    var wire: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let chunk = rest.prefix(max(size, 1))
      wire += Array("\(String(chunk.count, radix: 16))\r\n".utf8) + chunk + Array("\r\n".utf8)
      rest = rest.dropFirst(chunk.count)
    }
    try await send(wire)
    count(bytes)
  }

  func end(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws {
    guard case .chunked = response.framing, response.hasContent(for: method) else { return }
    try await send(Array("0\r\n".utf8) + response.trailers.flatMap(Self.line) + Array("\r\n".utf8))
  }

  func garbage(_ bytes: [UInt8]) async throws { try await send(bytes) }

  func refuse() async { await reset() }

  func resetStream(_ code: UInt32) async { await reset() }

  func goAway(_ code: UInt32, processed: Bool) async -> Bool {
    await close()
    return false
  }

  func close() async { try? await channel.close() }

  func reset() async { await channel.breakOff() }

  func waitForClose() async { try? await channel.closeFuture.get() }

  private func send(_ bytes: [UInt8]) async throws {
    try await channel.writeAndFlush(ByteBuffer(bytes: bytes))
  }

  private func count(_ bytes: [UInt8]) {
    engine.state.update { $0.counts.sentBytes += Int64(bytes.count) }
  }
}

/// Writes the response of an HTTP/2 stream.
struct HTTP2Sink: ResponseSink {
  let channel: any Channel
  let stream: HTTP2StreamID
  let engine: ServerEngine

  private var connection: any Channel { channel.parent ?? channel }

  func informational(_ status: Int) async throws {
    try await send(.headers(.init(headers: [":status": "\(status)"])))
  }

  func head(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws {
    var headers: HPACKHeaders = [":status": "\(response.status)"]
    for field in response.fields { headers.add(name: field.name.canonicalName, value: field.value) }
    if response.framing == .length, response.status != 204, response.status != 304 {
      headers.add(name: "content-length", value: "\(response.announcedLength)")
    }
    try await send(.headers(.init(headers: headers, endStream: isWhole)))
  }

  func content(_ bytes: [UInt8], of response: LoopbackResponse) async throws {
    guard !bytes.isEmpty else { return }
    try await send(.data(.init(data: .byteBuffer(ByteBuffer(bytes: bytes)))))
    engine.state.update { $0.counts.sentBytes += Int64(bytes.count) }
  }

  func end(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws {
    guard !isWhole else { return }
    guard !response.trailers.isEmpty else {
      return try await send(.data(.init(data: .byteBuffer(ByteBuffer()), endStream: true)))
    }
    let headers = HPACKHeaders(response.trailers.map { ($0.name.canonicalName, $0.value) })
    try await send(.headers(.init(headers: headers, endStream: true)))
  }

  func garbage(_ bytes: [UInt8]) async throws {
    try await connection.write(bytes, from: ConnectionTap.frames)
  }

  func refuse() async { await resetStream(7) }

  func resetStream(_ code: UInt32) async {
    try? await send(.rstStream(HTTP2ErrorCode(networkCode: Int(code))))
  }

  func goAway(_ code: UInt32, processed: Bool) async -> Bool {
    // RFC 9113, section 6.8: length 8, type 7, no flags, stream 0, the last processed stream, the error code.
    let last = UInt32(max(Int(stream) - (processed ? 0 : 2), 0))
    let fields = [last & 0x7FFF_FFFF, code].flatMap { number in
      stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> UInt32($0)) }
    }
    try? await garbage([0, 0, 8, 7, 0, 0, 0, 0, 0] + fields)
    if !processed { await close() }
    return processed
  }

  func close() async { try? await connection.close() }

  func reset() async { await connection.breakOff() }

  func waitForClose() async { try? await channel.closeFuture.get() }

  private func send(_ frame: HTTP2Frame.FramePayload) async throws { try await channel.writeAndFlush(frame) }
}
#endif
