package import HTTPTypes
package import Interception

/// An exchange as an entry of a HAR document, redacted when it is created.
struct ArchiveEntry: Sendable {
  private let startedAt: WallTime
  private let timings: ArchiveTimings
  private let request: JSONValue
  private let response: JSONValue
  private let cache: Exchange.CacheStatus?
  private let peer: String?
  private let comment: String
  /// What interventions did to the call.
  var alterations: [String] = []

  /// Creates the entry of a request, which is known even if nothing was sent.
  ///
  /// - Parameters:
  ///   - id: The ID that the comment names, if it isn't that of `request`.
  ///   - cache: How a cache responded to it.
  init(
    _ request: Request, id: RequestID? = nil, _ result: ArchivedResult, cache: Exchange.CacheStatus? = nil,
    startedAt: WallTime, after duration: Duration, format: ArchiveFormat
  ) {
    self.startedAt = startedAt
    var timings = ArchiveTimings(result.transport?.phases, whole: duration)
    timings.comment = result.transport?.http3.map { "HTTP/3 \($0)" }
    self.timings = timings
    let version = result.transport?.version?.rawValue ?? ""
    let format = format.hiding(request.context.credentialFields)
    self.request = format.request(request, version: version)
    response = format.response(result, version: version)
    self.cache = cache
    peer = result.transport?.remoteAddress.map { String(Self.host($0)) }
    comment = Self.comment(id ?? request.id, attempt: request.attempt, request.api)
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
    guard !alterations.isEmpty else {
      members.append(("comment", .text(comment)))
      return .object(members)
    }
    // HAR 1.2 reserves names with an underscore for what it doesn't define.
    members.append(("_alterations", .list(alterations.map { .text($0) })))
    members.append(("comment", .text("\(comment), altered")))
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

/// How an archived exchange ended.
package enum ArchivedResult: Sendable {
  /// With a response; `bytes` is the length of its body, and `sample` the part to archive.
  case answered(HTTPResponse, bytes: Int64, sample: [UInt8], TransportReport?)
  /// With a response whose body failed or was not read completely.
  case interrupted(HTTPResponse, bytes: Int64, TransportReport?, ArchivedFailure?)
  case failed(ArchivedFailure)

  var transport: TransportReport? {
    switch self {
    case .answered(_, _, _, let transport), .interrupted(_, _, let transport, _): transport
    case .failed: nil
    }
  }
}

/// How an archive names an error: without its text, which may be a foreign one.
package struct ArchivedFailure: Sendable {
  let comment: String

  /// Creates the name of an error.
  init(_ error: NetworkError) {
    switch error.origin {
    case .interceptor(let name), .dispatcher(let name): self.init(label: error.label, origin: name)
    case .pipeline, nil: self.init(label: error.label, origin: nil)
    }
  }

  /// Creates the name of an error from its label and the name of the interceptor or dispatcher.
  package init(label: String, origin: String?) {
    comment = LogText.escaped(origin.map { "\(label) (\($0))" } ?? label)
  }
}

/// The timings of an entry, by the rules of HAR 1.2.
struct ArchiveTimings: Sendable, Hashable {
  /// Nil for phases that did not occur, which the format writes as -1.
  var blocked: Duration?
  var dns: Duration?
  /// Includes ``ssl``.
  var connect: Duration?
  var ssl: Duration?
  // The format requires the others.
  var wait: Duration
  var receive: Duration
  /// Whether HTTP/3 was used, and why not.
  var comment: String?

  /// Creates timings from a transport's phases, or from the whole duration if there are none.
  init(_ phases: TransportReport.Phases?, whole: Duration) {
    blocked = phases?.queue
    dns = phases?.name
    ssl = phases?.tls
    connect = phases?.connect.map { $0 + (phases?.tls ?? .zero) } ?? phases?.tls
    wait = phases?.firstByte ?? (phases?.lastByte == nil ? whole : .zero)
    receive = phases?.lastByte ?? .zero
  }

  /// The sum of the phases; `ssl` is part of `connect`.
  var total: Duration { (blocked ?? .zero) + (dns ?? .zero) + (connect ?? .zero) + wait + receive }

  var json: JSONValue {
    var members: [(name: String, value: JSONValue)] = [
      ("blocked", Self.json(blocked)), ("dns", Self.json(dns)), ("connect", Self.json(connect)),
      ("ssl", Self.json(ssl)), ("send", .number(0)), ("wait", Self.json(wait)),
      ("receive", Self.json(receive)),
    ]
    if let comment { members.append(("comment", .text(comment))) }
    return .object(members)
  }

  static func json(_ duration: Duration?) -> JSONValue {
    duration.map { .number(LogText.milliseconds($0)) } ?? .number(-1)
  }
}

/// Formats the dates of a HAR document (ISO 8601).
enum ArchiveDate {
  /// Returns a time in UTC with milliseconds, such as `2026-11-06T08:49:37.250Z`.
  static func format(_ time: WallTime) -> String {
    let date = CivilDate(secondsSince1970: time.seconds)
    let day = "\(padded(date.year, to: 4))-\(padded(date.month, to: 2))-\(padded(date.day, to: 2))"
    let clock = "\(padded(date.hour, to: 2)):\(padded(date.minute, to: 2)):\(padded(date.second, to: 2))"
    return "\(day)T\(clock).\(padded(time.nanoseconds / 1_000_000, to: 3))Z"
  }

  private static func padded(_ value: Int64, to count: Int) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, count - digits.count)) + digits
  }
}
