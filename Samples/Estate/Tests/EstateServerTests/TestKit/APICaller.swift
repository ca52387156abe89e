import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import NIOEmbedded
import Synchronization

@testable import EstateServer

/// Calls the API's routes and middleware without a socket.
struct APICaller {
  private let responder: RouterResponder<BasicRequestContext>

  init(
    verifier: (any RequestVerifying)? = AcceptingVerifier(), sessionLifetime: TimeInterval = 3600,
    now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }
  ) throws {
    let api = EstateAPI(
      listings: try .sacramento(), verifier: verifier, sessionLifetime: sessionLifetime, now: now)
    responder = api.router().buildResponder()
  }

  func call(
    _ method: HTTPRequest.Method, _ target: String, fields: HTTPFields = [:], body: [UInt8] = []
  ) async throws -> Reply {
    let head = HTTPRequest(
      method: method, scheme: "https", authority: "localhost:8443", path: target, headerFields: fields)
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: body)))
    let source = ApplicationRequestContextSource(
      channel: EmbeddedChannel(), logger: Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }))
    let response = try await responder.respond(to: request, context: BasicRequestContext(source: source))
    let collector = Collector()
    try await response.body.write(collector)
    return Reply(status: response.status, fields: response.headers, bytes: collector.bytes.withLock { $0 })
  }

  func get(_ target: String, fields: HTTPFields = [:]) async throws -> Reply {
    try await call(.get, target, fields: fields)
  }

  func post(_ target: String, json: String, fields: HTTPFields = [:]) async throws -> Reply {
    try await call(.post, target, fields: fields, body: Array(json.utf8))
  }

  private final class Collector: ResponseBodyWriter {
    let bytes = Mutex<[UInt8]>([])

    func write(_ buffer: ByteBuffer) async throws {
      bytes.withLock { $0.append(contentsOf: buffer.readableBytesView) }
    }

    consuming func finish(_ trailingHeaders: HTTPFields?) async throws {}
  }
}

/// What came back.
struct Reply {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  let bytes: [UInt8]

  func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The code of an error answer.
  var errorCode: String? { (try? json(as: ErrorReply.self))?.error.code }
}

struct ErrorReply: Decodable {
  struct Detail: Decodable {
    let code: String
    let message: String
  }
  let error: Detail
}
