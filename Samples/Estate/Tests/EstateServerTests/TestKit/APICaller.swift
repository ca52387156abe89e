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

  /// Logs the sample's user in.
  func logIn() async throws -> Reply {
    try await post(
      "/v1/session", json: #"{"user":"\#(DemoAccount.user)","password":"\#(DemoAccount.password)"}"#)
  }
}

/// A response of the API.
struct Reply {
  let status: HTTPResponse.Status
  let fields: HTTPFields
  let bytes: [UInt8]

  var json: JSON { get throws { try JSONDecoder().decode(AnyJSON.self, from: Data(bytes)).value } }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// The code of an error response.
  var errorCode: String? { (try? json)?["error"]["code"].text }
}

/// A whole JSON text.
private struct AnyJSON: Decodable {
  let value: JSON

  init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    if let elements = try? container.decode([AnyJSON].self) {
      value = .array(elements.map(\.value))
    } else if let members = try? container.decode([String: AnyJSON].self) {
      value = .object(members.mapValues(\.value))
    } else {
      value = try container.decode(JSON.self)
    }
  }
}

extension JSON {
  /// The member of a name; `null` without one.
  subscript(name: String) -> JSON {
    if case .object(let members) = self { members[name] ?? .null } else { .null }
  }

  /// The elements of a list; none of anything else.
  var elements: [JSON] { if case .array(let elements) = self { elements } else { [] } }

  var text: String? { if case .string(let text) = self { text } else { nil } }

  var value: Double? { if case .number(let number) = self { number } else { nil } }
}
