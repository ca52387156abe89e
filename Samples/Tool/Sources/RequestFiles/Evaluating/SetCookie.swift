/// The cookies that a response sets.
enum SetCookie {
  /// Returns the value of a cookie, or with a name such as "session[Path]" that of its attribute.
  ///
  /// `Secure` and `HttpOnly` have no value: they are true, or absent.
  static func value(_ query: String, in response: ReceivedResponse) -> Value? {
    var (name, attribute) = (query, "value")
    if query.hasSuffix("]"), let bracket = query.lastIndex(of: "[") {
      name = String(query[..<bracket])
      attribute = query[query.index(after: bracket)...].dropLast().lowercased()
    }
    for field in response.values(of: "Set-Cookie").reversed() {
      let parts = field.split(separator: ";", omittingEmptySubsequences: false).map(pair)
      guard let first = parts.first, first.name == name else { continue }
      guard attribute != "value" else { return .text(first.value ?? "") }
      guard let part = parts.dropFirst().first(where: { $0.name.lowercased() == attribute }) else {
        return nil
      }
      switch attribute {
      case "secure", "httponly": return .bool(true)
      case "max-age": return part.value.map { value in Int(value).map { .integer($0) } ?? .text(value) }
      case "expires":
        guard let text = part.value else { return nil }
        // Several servers write dashes in the date.
        for format in ["%a, %d %b %Y %H:%M:%S GMT", "%a, %d-%b-%Y %H:%M:%S GMT"] {
          if let moment = try? CalendarFields.moment(text, format: format) { return .date(moment) }
        }
        return .text(text)
      default: return part.value.map { .text($0) }
      }
    }
    return nil
  }

  private static func pair(_ text: Substring) -> (name: String, value: String?) {
    let halves = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    func trimmed(_ text: Substring) -> String {
      String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
    return (trimmed(halves[0]), halves.count == 2 ? trimmed(halves[1]) : nil)
  }
}
