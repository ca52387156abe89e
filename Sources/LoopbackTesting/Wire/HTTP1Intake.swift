#if LoopbackTesting
import HTTPTypes
import NIOCore
import NIOHTTP1

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
#endif
