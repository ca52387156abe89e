import HTTPTypes

extension Response: Concealed, CustomStringConvertible {
  /// The status, the media type and the size, how a cache was used, and the request without its query if it
  /// is known; never the content, nor another header field.
  public var description: String {
    let phrase = Self.printable(status.reasonPhrase)
    var parts = ["\(status.code)" + (phrase.isEmpty ? "" : " \(phrase)")]
    if let type = head.headerFields.mediaType {
      let essence = type.prefix { $0 != ";" }
      parts.append(Self.printable(essence.last == " " ? essence.dropLast() : essence))
    }
    parts.append(body.sizeDescription)
    if let cacheStatus { parts.append("cache: \(cacheStatus)") }
    return parts.joined(separator: ", ") + requestNote
  }

  /// What an error of the response says of its request, in brackets after a space; empty if nothing is known.
  package var requestNote: String {
    let report = exchange
    return RequestNote.text(
      of: request.map { Request.Summary($0) }, attempt: report.attempts, retryRefusal: report.retryRefusal)
  }

  /// A text of the server as a description can show it: at most 100 characters of visible ASCII.
  package static func printable(_ text: some StringProtocol) -> String {
    String(text.unicodeScalars.prefix(100).map { (0x20...0x7E).contains($0.value) ? Character($0) : "?" })
  }
}

extension ResponseBody: Concealed, CustomStringConvertible {
  /// The size, and whether the content is a stream; never the content.
  public var description: String { sizeDescription }

  fileprivate var sizeDescription: String {
    let size = length.map { "\($0) byte\($0 == 1 ? "" : "s")" }
    return switch self {
    case .bytes: size ?? ""
    case .stream: size.map { "a stream of \($0)" } ?? "a stream of unknown length"
    }
  }
}
