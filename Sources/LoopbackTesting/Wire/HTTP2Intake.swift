#if LoopbackTesting
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP2

/// Reads the single request of an HTTP/2 stream.
final class HTTP2Intake: RequestIntake {
  private var frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator
  private let connection: Int
  private let stream: Int
  private let blocks: HeaderBlocks
  private var hasHead = false
  private var pendingEnd: HTTPFields?

  init(
    _ frames: NIOAsyncChannelInboundStream<HTTP2Frame.FramePayload>.AsyncIterator, connection: Int,
    stream: Int, blocks: HeaderBlocks
  ) {
    self.frames = frames
    self.connection = connection
    self.stream = stream
    self.blocks = blocks
  }

  func next() async throws -> RequestPart? {
    if let trailers = pendingEnd {
      pendingEnd = nil
      return .end(trailers)
    }
    while let frame = try await frames.next(isolation: #isolation) {
      switch frame {
      case .headers(let headers) where hasHead: return .end(HTTPFields(regular(headers.headers)))
      case .headers(let headers):
        hasHead = true
        if headers.endStream { pendingEnd = [:] }
        return .head(request(headers))
      case .data(let data):
        if data.endStream { pendingEnd = [:] }
        guard case .byteBuffer(let buffer) = data.data, buffer.readableBytes > 0 else {
          guard data.endStream else { continue }
          pendingEnd = nil
          return .end([:])
        }
        return .content(Array(buffer: buffer))
      default: continue
      }
    }
    return nil
  }

  private func regular(_ headers: HPACKHeaders) -> [(String, String)] {
    headers.compactMap { name, value, _ in name.hasPrefix(":") ? nil : (name, value) }
  }

  private func request(_ frame: HTTP2Frame.FramePayload.Headers) -> LoopbackRequest {
    let headers = frame.headers
    let method = headers.first(name: ":method").flatMap(HTTPRequest.Method.init(rawValue:)) ?? .get
    return LoopbackRequest(
      head: HTTPRequest(
        method: method, scheme: headers.first(name: ":scheme"), authority: headers.first(name: ":authority"),
        path: headers.first(name: ":path"), headerFields: HTTPFields(regular(headers))),
      body: [], trailers: [:], version: .http2, connection: connection, stream: stream,
      // The wire carries the weight less one.
      streamWeight: frame.priorityData.map { Int($0.weight) + 1 }, headLength: blocks.take(stream))
  }
}
#endif
