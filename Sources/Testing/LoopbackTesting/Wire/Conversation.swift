#if LoopbackTesting
import HTTPTypes
import NIOCore
import NIOHPACK
import NIOHTTP1
import NIOHTTP2
import SwitchyardTesting

/// Serves an HTTP/1.1 connection, request by request, or one HTTP/2 stream.
struct Conversation<Intake: RequestIntake, Sink: ResponseSink> {
  let engine: ServerEngine
  let intake: Intake
  let sink: Sink

  func run() async {
    do {
      while case .head(let request)? = try await intake.next() {
        engine.state.update { state in
          state.counts.begunRequests += 1
          state.counts.openExchanges += 1
        }
        let result: Result<Bool, any Error>
        do { result = .success(try await serve(request)) } catch { result = .failure(error) }
        engine.state.update { $0.counts.openExchanges -= 1 }
        guard try result.get() else { return }
      }
    } catch {
      // The client disconnected or violated the protocol; the connection ends with it.
    }
  }

  /// Serves one request; returns whether another one can follow.
  private func serve(_ begun: LoopbackRequest) async throws -> Bool {
    let writer = ResponseWriter(sink: sink, time: engine.configuration.time)
    let scripted = engine.state.update { $0.takeResponse() }
    let early = scripted?.faults ?? engine.configuration.earlyFaults(begun)
    guard case .continues = try await writer.pass(.requestStart, early) else { return false }
    if begun.version == .http1, begun.head.headerFields[.expect]?.lowercased() == "100-continue" {
      try await sink.informational(100)
    }
    guard let request = try await receive(begun, writer, early) else { return false }
    engine.state.update { state in
      state.requests.append(request)
      state.counts.receivedRequests += 1
    }
    let response: LoopbackResponse
    if let scripted { response = scripted } else { response = await engine.handler(request) }
    guard case .continues = try await writer.write(response, to: request.method) else { return false }
    let mustClose =
      response.framing == .untilClose || response.announcedLength != response.content.length
      || begun.head.headerFields[.connection]?.lowercased() == "close"
    if begun.version == .http1, mustClose {
      await sink.close()
      return false
    }
    return begun.version == .http1
  }

  /// Reads the content; returns nil if the exchange ends before that.
  private func receive(
    _ begun: LoopbackRequest, _ writer: ResponseWriter<Sink>, _ faults: [LoopbackFault]
  ) async throws -> LoopbackRequest? {
    var request = begun
    var isFirst = true
    while let part = try await intake.next() {
      switch part {
      case .head: return nil
      case .content(let bytes):
        request.body += bytes
        guard request.body.count <= engine.configuration.bodyLimit else {
          _ = try await writer.write(LoopbackResponse(status: 413), to: request.method)
          await sink.close()
          return nil
        }
        if isFirst {
          guard case .continues = try await writer.pass(.requestBody, faults) else { return nil }
          isFirst = false
        }
      case .end(let trailers):
        request.trailers = trailers
        return request
      }
    }
    return nil
  }
}

/// A part of a request.
enum RequestPart {
  case head(LoopbackRequest)
  case content([UInt8])
  case end(HTTPFields)
}

/// A source of requests: an HTTP/1.1 connection or an HTTP/2 stream.
protocol RequestIntake {
  /// Returns the next part, or nil at the end.
  func next() async throws -> RequestPart?
}

/// Reads requests from an HTTP/1.1 connection.
final class HTTP1Intake: RequestIntake {
  private var parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator
  private let scheme: String
  private let connection: Int

  init(
    _ parts: NIOAsyncChannelInboundStream<HTTPServerRequestPart>.AsyncIterator, scheme: String,
    connection: Int
  ) {
    self.parts = parts
    self.scheme = scheme
    self.connection = connection
  }

  func next() async throws -> RequestPart? {
    switch try await parts.next(isolation: #isolation) {
    case .head(let head): .head(request(head))
    case .body(let buffer): .content(Array(buffer: buffer))
    case .end(let trailers):
      .end(HTTPFields(trailers?.map { ($0.name, $0.value) } ?? []))
    case nil: nil
    }
  }

  private func request(_ head: HTTPRequestHead) -> LoopbackRequest {
    let method = HTTPRequest.Method(rawValue: head.method.rawValue) ?? .get
    return LoopbackRequest(
      head: HTTPRequest(
        method: method, scheme: scheme, authority: head.headers.first(name: "host"), path: head.uri,
        headerFields: HTTPFields(head.headers.map { ($0.name, $0.value) })),
      body: [], trailers: [:], version: .http1, connection: connection, stream: 0)
  }
}

extension HTTPFields {
  /// Creates fields, skipping those with invalid names.
  init(_ fields: [(String, String)]) {
    self.init()
    for (name, value) in fields {
      if let name = HTTPField.Name(name) { append(HTTPField(name: name, value: value)) }
    }
  }
}

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
