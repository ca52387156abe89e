import HTTPTypes
import Interception

/// Writes requests and responses as the objects of HAR 1.2, redacted like the log.
struct ArchiveFormat: Sendable {
  /// The maximum number of characters of a value, so that a hostile server's fields need bounded memory.
  private static let valueLimit = 4096

  private let redaction: Redaction
  let bodies: BodySampling

  init(redaction: Redaction, bodies: BodySampling) {
    var redaction = redaction
    // This mark is legal in a URL, which importers parse.
    redaction.mark = "REDACTED"
    self.redaction = redaction
    self.bodies = bodies
  }

  /// The format for a request and its response, which hides the credential fields of their chain.
  func hiding(_ fields: CredentialFields) -> ArchiveFormat {
    fields.isUsual ? self : ArchiveFormat(redaction: redaction.hiding(fields), bodies: bodies)
  }

  /// The same format with other samples of bodies.
  func sampling(_ bodies: BodySampling) -> ArchiveFormat {
    ArchiveFormat(redaction: redaction, bodies: bodies)
  }

  /// A request that was sent.
  func request(_ request: Request, version: String) -> JSONValue {
    let head = request.head
    let path = PathParts(head.path ?? "")
    let url =
      "\(head.scheme?.lowercased() ?? "")://\(redaction.authority(head.authority ?? ""))"
      + redaction.path(path.path + (path.query.map { "?\($0)" } ?? ""))
    var members = requestMembers(
      method: head.method, url: url, version: version, fields: head.headerFields, query: path.query,
      length: request.body.length ?? -1)
    if let text = bodies.sample(of: request, redaction: redaction) {
      members.append(
        (
          "postData",
          .object([
            ("mimeType", Self.text(head.headerFields.mediaType ?? "")), ("params", .list([])),
            ("text", .text(text)),
          ])
        ))
    }
    return .object(members)
  }

  /// A request of which only the summary is known.
  func request(_ summary: Request.Summary) -> JSONValue {
    .object(
      requestMembers(
        method: summary.method, url: "\(summary.scheme)://\(summary.authority)\(summary.path)", version: "",
        fields: [:], query: nil, length: -1))
  }

  private func requestMembers(
    method: HTTPRequest.Method, url: String, version: String, fields: HTTPFields, query: String?,
    length: Int64
  ) -> [(name: String, value: JSONValue)] {
    [
      ("method", Self.text(method.rawValue)), ("url", Self.text(URLText.legal(url))),
      ("httpVersion", .text(version)),
      ("cookies", .list([])), ("headers", headers(fields)), ("queryString", queryString(query)),
      ("headersSize", .number(-1)), ("bodySize", .number(length)),
    ]
  }

  /// The response, or the object that stands for none.
  func response(_ result: ArchivedResult, version: String) -> JSONValue {
    switch result {
    case .answered(let head, let bytes, let sample, let transport):
      let text =
        sample.isEmpty ? nil : bodies.text(of: sample, fields: head.headerFields, redaction: redaction)
      // Of coded content, only the length as it was sent is known if the sample is not all of it.
      let size = head.headerFields.contentCodings.isEmpty ? bytes : max(bytes, Int64(sample.count))
      return response(head, bytes: size, text: text, transport, version, comment: nil)
    case .interrupted(let head, let bytes, let transport, let error):
      let comment = error?.comment ?? "dropped by its reader"
      return response(head, bytes: bytes, text: nil, transport, version, comment: comment)
    case .failed(let error):
      return response(nil, bytes: 0, text: nil, nil, version, comment: error.comment)
    }
  }

  private func response(
    _ head: HTTPResponse?, bytes: Int64, text: String?, _ transport: TransportReport?, _ version: String,
    comment: String?
  ) -> JSONValue {
    let fields = head?.headerFields ?? [:]
    var content: [(name: String, value: JSONValue)] = [
      ("size", .number(bytes)), ("mimeType", Self.text(fields.mediaType ?? "")),
    ]
    if let text { content.append(("text", .text(text))) }
    let location = fields[fields: .location].first.map { redaction.url($0.text) } ?? ""
    var members: [(name: String, value: JSONValue)] = [
      ("status", .number(Int64(head?.status.code ?? 0))),
      ("statusText", Self.text(head?.status.reasonPhrase ?? "")), ("httpVersion", .text(version)),
      ("cookies", .list([])), ("headers", headers(fields)), ("content", .object(content)),
      ("redirectURL", Self.text(location)), ("headersSize", .number(-1)),
      ("bodySize", .number(transport?.bytes.received ?? -1)),
    ]
    if let comment { members.append(("comment", .text(comment))) }
    return .object(members)
  }

  private func headers(_ fields: HTTPFields) -> JSONValue {
    .list(
      fields.map { field in
        .object([
          ("name", Self.text(field.name.rawName)), ("value", Self.text(redaction.value(of: field))),
        ])
      })
  }

  private func queryString(_ query: String?) -> JSONValue {
    guard let query, !query.isEmpty else { return .list([]) }
    return .list(
      redaction.query(query).utf8.split(separator: UInt8(ascii: "&")).map { part in
        let halves = part.split(
          separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        return .object([
          ("name", Self.text(String(Substring(halves[0])))),
          ("value", Self.text(halves.count > 1 ? String(Substring(halves[1])) : "")),
        ])
      })
  }

  private static func text(_ text: String) -> JSONValue { .text(LogText.escaped(text, upTo: valueLimit)) }
}
