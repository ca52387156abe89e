#if LoopbackTesting
import HTTPTypes
import NIOCore
import SwitchyardTesting

/// Writes responses as bytes to an HTTP/1.1 connection, so that they can be arbitrarily invalid.
struct HTTP1Sink: ResponseSink {
  let channel: any Channel
  let engine: ServerEngine

  func informational(_ status: Int) async throws {
    let reason = HTTPResponse.Status(code: status).reasonPhrase
    try await send(Array("HTTP/1.1 \(status) \(reason)\r\n\r\n".utf8))
  }

  func head(of response: LoopbackResponse, to method: HTTPRequest.Method, isWhole: Bool) async throws {
    var head = "HTTP/1.1 \(response.status) \(HTTPResponse.Status(code: response.status).reasonPhrase)\r\n"
    for field in response.fields { head += "\(field.name.rawName): \(field.value)\r\n" }
    if response.status != 204, response.status != 304 {
      switch response.framing {
      case .length: head += "Content-Length: \(response.announcedLength)\r\n"
      case .chunked: head += "Transfer-Encoding: chunked\r\n"
      case .untilClose: head += "Connection: close\r\n"
      }
    }
    try await send(Array((head + "\r\n").utf8))
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
    let trailers = response.trailers.map { "\($0.name.rawName): \($0.value)\r\n" }.joined()
    try await send(Array("0\r\n\(trailers)\r\n".utf8))
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
#endif
