import Foundation
import HTTPServing
import HTTPTypes
import Logging

@testable import EstateServer

/// Calls the API without a socket.
struct APICaller {
  private let api: EstateAPI

  init(
    verifier: (any RequestVerifying)? = AcceptingVerifier(),
    messageSignatures: MessageSignatureService? = nil, sessionLifetime: TimeInterval = 3600,
    now: @escaping @Sendable () -> Date = { Date(timeIntervalSince1970: 1_800_000_000) }
  ) throws {
    api = EstateAPI(
      listings: try .sacramento(), verifier: verifier, messageSignatures: messageSignatures,
      sessionLifetime: sessionLifetime, now: now)
  }

  func call(
    _ method: HTTPRequest.Method, _ target: String, fields: HTTPFields = [:], body: [UInt8] = []
  ) async throws -> Reply {
    let head = HTTPRequest(
      method: method, scheme: "https", authority: "localhost:8443", path: target, headerFields: fields)
    let response = await api.response(to: ReceivedRequest(head: head, body: body), logger: .silent)
    return Reply(status: response.status, fields: response.fields, bytes: response.body)
  }

  func get(_ target: String, fields: HTTPFields = [:]) async throws -> Reply {
    try await call(.get, target, fields: fields)
  }

  func post(_ target: String, json: String, fields: HTTPFields = [:]) async throws -> Reply {
    try await call(.post, target, fields: fields, body: Array(json.utf8))
  }
}

/// A response of the API.
struct Reply {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  let bytes: [UInt8]

  func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
    try JSONDecoder().decode(type, from: Data(bytes))
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The code of an error response.
  var errorCode: String? { (try? json(as: ErrorReply.self))?.error.code }
}

struct ErrorReply: Decodable {
  struct Detail: Decodable {
    let code: String
    let message: String
  }
  let error: Detail
}
