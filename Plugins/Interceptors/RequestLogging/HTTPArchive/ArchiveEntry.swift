import HTTPTypes
import Interception

/// An exchange as an entry of a HAR document, redacted when it is created.
struct ArchiveEntry: Sendable {
  private let startedAt: WallTime
  private let timings: ArchiveTimings
  private let request: JSONValue
  private let response: JSONValue
  private let cache: Exchange.CacheStatus?
  private let peer: String?
  private let comment: String

  /// Creates an entry of a request that was sent.
  init(
    _ request: Request, _ result: ArchivedResult, startedAt: WallTime, after duration: Duration,
    format: ArchiveFormat
  ) {
    self.startedAt = startedAt
    timings = ArchiveTimings(result.transport?.phases, whole: duration)
    let version = result.transport?.version?.rawValue ?? ""
    self.request = format.request(request, version: version)
    response = format.response(result, version: version)
    cache = nil
    peer = result.transport?.remoteAddress.map { String(Self.host($0)) }
    comment = Self.comment(request.id, attempt: request.attempt, request.api)
  }

  /// Creates an entry of a call that sent nothing; nothing is known of its header fields and its query.
  init(
    _ summary: Request.Summary, _ id: RequestID, attempt: Int, _ result: ArchivedResult,
    cache: Exchange.CacheStatus?, startedAt: WallTime, after duration: Duration, format: ArchiveFormat
  ) {
    self.startedAt = startedAt
    timings = ArchiveTimings(nil, whole: duration)
    request = format.request(summary)
    response = format.response(result, version: "")
    self.cache = cache
    peer = nil
    comment = Self.comment(id, attempt: attempt, summary.api)
  }

  var json: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("startedDateTime", .text(ArchiveDate.format(startedAt))),
      ("time", ArchiveTimings.json(timings.total)), ("request", request), ("response", response),
      ("cache", .object(cache.map { [("comment", .text($0.description))] } ?? [])),
      ("timings", timings.json),
    ]
    if let peer { members.append(("serverIPAddress", .text(peer))) }
    members.append(("comment", .text(comment)))
    return .object(members)
  }

  private static func comment(_ id: RequestID, attempt: Int, _ api: APIIdentity?) -> String {
    let subject = api.map { ", \(LogText.escaped($0.description))" } ?? ""
    return "request \(id), attempt \(attempt)\(subject)"
  }

  /// The address without port and brackets.
  private static func host(_ peer: String) -> Substring {
    let bytes = peer.utf8
    if bytes.first == UInt8(ascii: "["), let end = bytes.lastIndex(of: UInt8(ascii: "]")) {
      return peer[bytes.index(after: bytes.startIndex)..<end]
    }
    return peer[..<(bytes.lastIndex(of: UInt8(ascii: ":")) ?? peer.endIndex)]
  }
}
