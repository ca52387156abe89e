#if LoopbackTesting
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2
import SwitchyardTesting

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
