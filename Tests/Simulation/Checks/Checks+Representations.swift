import HTTPTypes
import Interception

extension Checks {
  /// Returns the tag that a call names in its condition.
  func tag(for call: Call, of account: String?) -> String? {
    guard call.hasCondition else { return nil }
    return tags[seen(call.path, by: account ?? "")]
  }

  private func seen(_ path: String, by account: String) -> String {
    path.hasPrefix("/me/") ? "\(path) of \(account)" : path
  }

  /// Checks what a response says about itself: its tag, its part, and that it is no answer to a condition
  /// that the caller hasn't set.
  func checkRepresentation(_ record: Record, _ call: Call, _ response: Response, _ body: [UInt8]) {
    let account = record.partition ?? ""
    switch response.status {
    case .notModified:
      if !call.hasCondition || call.isWrite {
        fail(.freshness, "call \(record.id) got a 304 without a condition of its own")
      }
    case .preconditionFailed:
      if !call.hasCondition || !call.isWrite {
        fail(.effects, "call \(record.id) got a 412 without a condition of its own")
      }
    case .ok, .partialContent:
      if !call.isWrite, let tag = response.head.headerFields[.eTag] {
        tags[seen(call.path, by: account)] = tag
      }
      if call.path.hasPrefix("/files/"), !call.isWrite { checkPart(record, call, response, body) }
    default: break
    }
  }

  private func checkPart(_ record: Record, _ call: Call, _ response: Response, _ body: [UInt8]) {
    var bounds = 0..<RepresentationServer.fileLength
    if response.status == .partialContent {
      guard let part = call.range.flatMap({ FileBody.bounds(of: $0) }) else {
        return fail(.freshness, "call \(record.id) got a part that it hasn't asked for")
      }
      bounds = part
      let field = response.head.headerFields[.contentRange] ?? ""
      if field != FileBody.contentRange(part) {
        fail(.freshness, "call \(record.id) asked for \(call.range ?? ""), and got \"\(field)\"")
      }
    }
    guard body.count == bounds.count, let file = FileBody(body) else {
      return fail(
        .freshness,
        "call \(record.id) got \(body.count) bytes, not \(bounds.count) of one version: "
          + String(decoding: body, as: UTF8.self))
    }
    let content = Content(resource: call.path, version: file.version, owner: "", language: "")
    checkFreshness(of: content, response, for: call, since: record.start, "call \(record.id)")
  }
}

extension Call {
  /// The value of a field that can select a variant.
  func selectingField(_ name: HTTPField.Name) -> String? {
    switch name {
    case .acceptLanguage: language
    case .accept: accept
    default: nil
    }
  }
}
