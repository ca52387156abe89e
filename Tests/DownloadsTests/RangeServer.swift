import Downloads
import HTTPTypes
import Interception
import SwitchyardTesting
import Synchronization

/// A dispatcher that serves one content with ranges, as a conforming server does, and can break off
/// responses.
final class RangeServer: Dispatcher {
  struct Content: Sendable {
    var bytes: [UInt8]
    var fields: HTTPFields
    /// The number of bytes of a response after which the connection breaks; nil for never.
    var breaksAfter: Int?
    /// The number of further responses that break; nil for all.
    var breaks: Int?
    /// Whether the server sends the whole content in response to any request.
    var ignoresRanges = false
  }

  let content: Mutex<Content>
  private let seen = Mutex<[Request]>([])

  init(_ bytes: [UInt8], tag: String? = "\"v1\"", breaksAfter: Int? = nil) {
    var fields = HTTPFields()
    fields[.eTag] = tag
    content = Mutex(Content(bytes: bytes, fields: fields, breaksAfter: breaksAfter))
  }

  var requests: [Request] { seen.withLock { $0 } }
  var ranges: [String?] { requests.map { $0.head.headerFields[.range] } }
  var conditions: [String?] { requests.map { $0.head.headerFields[.ifRange] } }

  func change(_ change: (inout Content) -> Void) { content.withLock { change(&$0) } }

  func dispatch(_ request: Request) async throws(NetworkError) -> Response {
    let range = request.head.headerFields[.range]
    let condition = request.head.headerFields[.ifRange]
    seen.withLock { $0.append(request) }
    let content = content.withLock { content in
      let present = content
      if let breaks = content.breaks, content.breaksAfter != nil {
        content.breaks = breaks - 1
        if breaks <= 1 { content.breaksAfter = nil }
      }
      return present
    }
    var fields = content.fields
    let current = fields[values: .eTag].first ?? fields[.lastModified]
    let known = request.head.headerFields[.ifNoneMatch] ?? request.head.headerFields[.ifModifiedSince]
    if let known, known == current {
      return Response(HTTPResponse(status: .notModified, headerFields: fields))
    }
    guard !content.ignoresRanges, let bounds = Self.bounds(range), condition == nil || condition == current
    else { return answer(.ok, fields, content.bytes, content) }
    guard bounds.start < content.bytes.count else {
      fields[.contentRange] = "bytes */\(content.bytes.count)"
      return Response(HTTPResponse(status: .rangeNotSatisfiable, headerFields: fields))
    }
    let end = min(bounds.end, content.bytes.count)
    fields[.contentRange] = "bytes \(bounds.start)-\(end - 1)/\(content.bytes.count)"
    return answer(.partialContent, fields, Array(content.bytes[bounds.start..<end]), content)
  }

  /// Returns the range of a field such as "bytes=5-" or "bytes=5-9"; the end is exclusive.
  static func bounds(_ field: String?) -> (start: Int, end: Int)? {
    guard let field else { return nil }
    let ends = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false)
    guard ends.count == 2, let start = Int(ends[0]) else { return nil }
    return (start, Int(ends[1]).map { $0 + 1 } ?? .max)
  }

  private func answer(
    _ status: HTTPResponse.Status, _ fields: HTTPFields, _ bytes: [UInt8], _ content: Content
  ) -> Response {
    let sent = bytes.prefix(content.breaksAfter ?? bytes.count)
    let chunks = stride(from: 0, to: sent.count, by: 10).map { Array(sent.dropFirst($0).prefix(10)) }
    let failure = content.breaksAfter.map { _ in NetworkError(.transport, "The connection broke.") }
    let stream = BodyStream(
      length: Int64(bytes.count), ScriptedByteSource(chunks, endingWith: failure))
    return Response(HTTPResponse(status: status, headerFields: fields), body: .stream(stream))
  }
}
