import Foundation
import HTTPTypes
import RequestLogging

/// Hides what may be secret in the entries of an archive, as the library's own archives do.
///
/// URLs and contents that the library itself has written are redacted already, by the rules of the app.
public struct HiddenValues: Sendable {
  static let mark = "REDACTED"
  private let redaction: Redaction
  private let showsContents: Bool

  /// Creates the rules.
  ///
  /// - Parameters:
  ///   - names: The names of query parameters, of fields of forms and of members of JSON whose values are
  ///     shown.
  ///   - showsContents: Whether contents are shown as the archive has them.
  public init(showingValuesOf names: Set<String> = [], showsContents: Bool = false) {
    redaction = Redaction(showingQueryValuesOf: names)
    self.showsContents = showsContents
  }

  /// The parts of an entry that are written, and what is missing.
  struct Shown {
    var url = ""
    var requestFields = HTTPFields()
    var requestBody: [UInt8] = []
    var responseFields = HTTPFields()
    var responseBody: [UInt8] = []
    var gaps: [String] = []
  }

  func shown(of entry: HTTPArchive.Entry, isRedacted: Bool) -> Shown {
    var shown = Shown()
    shown.url = isRedacted ? entry.request.url : hidden(redaction.url(entry.request.url))
    if shown.url.contains("=\(Self.mark)") { shown.gaps.append("values of the query are hidden") }
    shown.requestFields = fields(entry.request.headers, "request", isRedacted, &shown.gaps)
    shown.requestFields = shown.requestFields.filtered { !Self.connectionFields.contains($0) }
    shown.responseFields = fields(entry.response.headers, "response", isRedacted, &shown.gaps)
    // The text of an archive is the decoded content.
    shown.responseFields = shown.responseFields.filtered {
      ![.contentEncoding, .contentLength, .transferEncoding].contains($0)
    }
    shown.requestBody = content(
      entry.request.postData, size: entry.request.bodySize, "request", isRedacted, &shown.gaps)
    shown.responseBody = content(
      entry.response.content, size: entry.response.content?.size, "response", isRedacted, &shown.gaps)
    return shown
  }

  /// The fields that a chain or a connection sets by itself.
  private static let connectionFields: [HTTPField.Name] =
    [.contentLength, .transferEncoding, .connection, .acceptEncoding, .te, .trailer]
    + [HTTPField.Name("Host")].compactMap(\.self)

  private func hidden(_ text: String) -> String { text.replacing("██", with: Self.mark) }

  private func fields(
    _ list: [HTTPArchive.Field]?, _ message: String, _ isRedacted: Bool, _ gaps: inout [String]
  ) -> HTTPFields {
    var fields = HTTPFields()
    var omitted: [String] = []
    for field in list ?? [] where !field.name.hasPrefix(":") {
      guard let name = HTTPField.Name(field.name), HTTPField.isValidValue(field.value) else { continue }
      // By the app's rules its own archives may show other fields, which could be credentials here.
      let isHarmless = Redaction.harmlessHeaders.contains(name)
      var value = isHarmless ? field.value : Self.mark
      if isHarmless, !isRedacted, [.location, .contentLocation, .referer].contains(name) {
        value = hidden(redaction.url(value))
      }
      if value == Self.mark {
        if !omitted.contains(name.rawName) { omitted.append(name.rawName) }
      } else {
        fields.append(HTTPField(name: name, value: value))
      }
    }
    if !omitted.isEmpty { gaps.append("the \(message) lacks the fields \(omitted.joined(separator: ", "))") }
    return fields
  }

  private func content(
    _ content: HTTPArchive.Content?, size: Int64?, _ message: String, _ isRedacted: Bool,
    _ gaps: inout [String]
  ) -> [UInt8] {
    guard let content, var text = content.text, !text.isEmpty else {
      if let size, size > 0 { gaps.append("the content of the \(message) (\(size) bytes) isn't archived") }
      return []
    }
    if isRedacted || showsContents {
      if text.contains(Self.mark) { gaps.append("values in the content of the \(message) are hidden") }
      guard content.encoding == "base64" else { return Array(text.utf8) }
      guard let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters) else {
        gaps.append("the content of the \(message) is not legal base64")
        return []
      }
      return [UInt8](bytes)
    }
    let type = (content.mimeType ?? "").prefix { $0 != ";" }.lowercased()
    if content.encoding == "base64" {
      let bytes = Data(base64Encoded: text, options: .ignoreUnknownCharacters)
      text = bytes.flatMap { String(bytes: $0, encoding: .utf8) } ?? ""
    }
    if type == "application/x-www-form-urlencoded" {
      gaps.append("values in the content of the \(message) are hidden")
      return Array(hidden(String(redaction.url("?\(text)").dropFirst())).utf8)
    }
    guard type.hasSuffix("json"), !text.isEmpty else {
      gaps.append("the content of the \(message) is left out; --bodies writes it")
      return []
    }
    gaps.append("values in the content of the \(message) are hidden")
    return Array(hidden(redaction.json(text)).utf8)
  }
}

extension HTTPFields {
  /// Returns the fields whose names a closure accepts.
  fileprivate func filtered(_ isIncluded: (HTTPField.Name) -> Bool) -> HTTPFields {
    HTTPFields(filter { isIncluded($0.name) })
  }
}
