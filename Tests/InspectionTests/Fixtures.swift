import Foundation
import HTTPTypes
import RequestLogging
import SwitchyardTesting

@testable import Inspection
@testable import Interception

/// What the tests read of a JSON document.
struct JSON {
  let value: Any?

  init(_ bytes: [UInt8]) throws { value = try JSONSerialization.jsonObject(with: Data(bytes)) }
  init(_ value: JSONValue) throws { try self.init(value.bytes) }
  private init(value: Any?) { self.value = value }

  subscript(_ name: String) -> JSON { JSON(value: (value as? [String: Any])?[name]) }
  subscript(_ index: Int) -> JSON {
    let list = value as? [Any] ?? []
    return JSON(value: list.indices.contains(index) ? list[index] : nil)
  }
  var text: String? { value as? String }
  var number: Double? { (value as? NSNumber)?.doubleValue }
  var bool: Bool? { (value as? NSNumber)?.boolValue }
  var list: [JSON] { (value as? [Any] ?? []).map { JSON(value: $0) } }
  var isNull: Bool { value == nil || value is NSNull }
}

extension Request {
  static var example: Request {
    var request = Request(
      authority: "api.estate.test", path: "/v1/homes?page=2&token=hunter2secret",
      headerFields: [.accept: "application/json", .authorization: "Bearer hunter2secret"])
    request.context.api = APIIdentity(service: "estate", name: "homes")
    return request
  }
}

extension CallRecord {
  /// A record whose events begin at 0.
  init(_ request: Request, keepingUpTo limit: Int = 1_024) {
    self.init(
      request, id: 1, startedAt: WallTime(secondsSince1970: 1_764_187_458), at: .zero, keepingUpTo: limit)
  }

  /// Returns a record of an exchange and the response that the caller received.
  static func answered(
    _ request: Request = .example, with response: Response, sent: Bool = true
  ) -> CallRecord {
    var record = CallRecord(request)
    if sent {
      _ = record.take(.sent(request, exchange: 0), at: .milliseconds(1))
      _ = record.take(.received(response, exchange: 0), at: .milliseconds(5))
    }
    _ = record.take(.delivered(response, stream: nil), at: .milliseconds(6))
    return record
  }
}

extension ShownText {
  static let strict = ShownText(redaction: Redaction(), showsOtherBodies: false)
  static let open = ShownText(
    redaction: Redaction(showingQueryValuesOf: ["page", "name"]), showsOtherBodies: true)
}

extension Inspector {
  var records: [CallRecord] { log.calls.map(\.current) }
}
