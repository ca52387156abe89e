import Cryptography
import HTTPTypes
import Interception
import RequestLogging

/// What may be shown of messages: everything passes it on its way to the page, an archive or a command line.
struct ShownText: Sendable {
  let redaction: Redaction
  /// Whether bodies are shown in which no value can be redacted by its name: other texts, and images.
  let showsOtherBodies: Bool
  /// The maximum number of bytes of a field's value.
  private static let valueLimit = 8_192
  private static let imageLimit = 256 << 10

  func url(_ url: String) -> String { Self.limited(redaction.url(url)) }

  /// The fields of a message of a call, without the credentials.
  func fields(_ fields: HTTPFields, of record: CallRecord) -> JSONValue {
    let redaction = redaction.hiding(record.credentialFields)
    return .list(
      fields.map { field in
        .list([.text(field.name.rawName), .text(Self.limited(redaction.value(of: field)))])
      })
  }

  /// A text of an error, without the secrets of the call's requests.
  func text(_ text: String, of record: CallRecord) -> String { Self.limited(scrubbed(text, of: record)) }

  /// A text without the hidden values of the call's requests.
  func scrubbed(_ text: String, of record: CallRecord) -> String {
    let redaction = redaction.hiding(record.credentialFields)
    let heads = [record.request.head] + record.exchanges.map(\.request.head)
    return heads.reduce(text) { redaction.scrubbed($0, of: Request($1)) }
  }

  /// A body as the page shows it; nil for an empty one.
  func body(_ body: RecordedBody, fields: HTTPFields, of record: CallRecord) -> JSONValue {
    guard body.size != 0 || body.omission != nil else { return .null }
    let type = MediaTypeSyntax.essence(of: fields.mediaType ?? "")
    var members: [(name: String, value: JSONValue)] = [("type", .text(Self.limited(type)))]
    if let size = body.size { members.append(("size", .number(size))) }
    let content = content(body, type, fields, record)
    switch content {
    case .text(let text): members.append(("text", .text(text)))
    case .image(let bytes): members.append(("base64", .text(Base64.encode(bytes))))
    case .nothing: break
    }
    members.append(("cut", .bool(body.isCut)))
    if let sentence = sentence(body, content) { members.append(("omitted", .text(sentence))) }
    return .object(members)
  }

  /// Whether the content of a body is shown as a text.
  func isShown(_ body: RecordedBody, fields: HTTPFields) -> Bool {
    let type = MediaTypeSyntax.essence(of: fields.mediaType ?? "")
    guard !body.bytes.isEmpty, fields.contentCodings.isEmpty else {
      return false
    }
    return type == "application/x-www-form-urlencoded" || type.hasSuffix("json")
      || showsOtherBodies && Self.isText(type)
  }

  /// A content that a user may edit as the text that is shown; nil if it isn't shown, or is no text.
  func editableText(of bytes: [UInt8], fields: HTTPFields) -> String? {
    guard let text = String(validating: bytes, as: UTF8.self), fields.contentCodings.isEmpty else {
      return nil
    }
    let type = MediaTypeSyntax.essence(of: fields.mediaType ?? "")
    if type == "application/x-www-form-urlencoded" { return redaction.query(text) }
    if type.hasSuffix("json") || Redaction.isJSON(text) { return redaction.json(text) }
    return showsOtherBodies || bytes.isEmpty ? text : nil
  }

  private enum Content {
    case text(String)
    case image([UInt8])
    /// Nothing is shown, for a reason; nil if the record says why.
    case nothing(String?)
  }

  private func content(
    _ body: RecordedBody, _ type: String, _ fields: HTTPFields, _ record: CallRecord
  ) -> Content {
    guard !body.bytes.isEmpty else { return .nothing(nil) }
    guard fields.contentCodings.isEmpty else {
      return .nothing("The content is coded; the response as delivered shows it decoded.")
    }
    let text = String(decoding: body.bytes, as: UTF8.self)
    if type == "application/x-www-form-urlencoded" { return .text(redaction.query(text)) }
    if type.hasSuffix("json") || Redaction.isJSON(text) { return .text(redaction.json(text)) }
    let isImage = type.hasPrefix("image/") && type != "image/svg+xml"
    guard isImage || Self.isText(type) else { return .nothing("The content is neither a text nor an image.") }
    guard showsOtherBodies else {
      return .nothing(
        "Only JSON and forms are shown, because their values are redacted by name; create the Inspector with "
          + "showsOtherBodies: true to see texts and images.")
    }
    guard isImage else { return .text(scrubbed(text, of: record)) }
    guard !body.isCut, body.bytes.count <= Self.imageLimit else {
      return .nothing("The image is larger than 256 KiB.")
    }
    return .image(body.bytes)
  }

  private func sentence(_ body: RecordedBody, _ content: Content) -> String? {
    switch body.omission {
    case .sentFromSource: return "The body is read from a file or a stream while it is sent, and is not kept."
    case .running: return "The body is being received."
    case .sameStream: return "The caller reads the stream of the last exchange, which shows it."
    case .failed(let label): return "The stream failed with \(label) after \(Self.bytes(body.size ?? 0))."
    case .dropped: return "The reader released the stream after \(Self.bytes(body.size ?? 0))."
    case nil: if case .nothing(let sentence) = content { return sentence } else { return nil }
    }
  }

  private static func bytes(_ count: Int64) -> String { count == 1 ? "1 byte" : "\(count) bytes" }

  private static func isText(_ type: String) -> Bool {
    type.hasPrefix("text/") || type.hasSuffix("+xml")
      || ["application/xml", "application/javascript", "application/graphql"].contains(type)
  }

  private static func limited(_ text: String) -> String {
    guard text.utf8.count > valueLimit else { return text }
    return String(decoding: text.utf8.prefix(valueLimit), as: UTF8.self) + "…"
  }
}
