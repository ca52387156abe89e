import HTTPTypes
import Interception

extension Redaction {
  /// The shortest value that is looked for in a text: shorter ones occur by chance.
  private static let shortestSecret = 6

  /// Returns a text in which no hidden value of a request is left, whole or in pieces.
  func scrubbed(_ text: String, of request: Request) -> String {
    var text = text
    // The longest first, so that a piece doesn't break the whole.
    for secret in secrets(of: request).sorted(by: { $0.count > $1.count }) where text.contains(secret) {
      text = text.replacing(secret, with: mark)
    }
    return text
  }

  private func secrets(of request: Request) -> Set<String> {
    var values = request.head.headerFields.filter { hides($0.name) }.map(\.value)
    let path = request.head.path ?? ""
    for item in QueryItems(path).items
    where !shownQueryNames.contains(String(decoding: item.name, as: UTF8.self)) {
      values.append(String(decoding: item.value, as: UTF8.self))
    }
    // The same values as they are written, before they are decoded.
    for pair in path.drop(while: { $0 != "?" && $0 != "#" }).split(whereSeparator: { "?&#".contains($0) }) {
      let halves = pair.split(separator: "=", maxSplits: 1)
      guard let value = halves.last, halves.count == 1 || !shownQueryNames.contains(String(halves[0])) else {
        continue
      }
      values.append(String(value))
    }
    let authority = request.head.authority ?? ""
    if let at = authority.lastIndex(of: "@") { values.append(String(authority[..<at])) }
    let pieces = values.flatMap { value in
      value.split(whereSeparator: { " ;,=:\"".contains($0) }).map(String.init)
    }
    return Set((values + pieces).filter { $0.utf8.count >= Self.shortestSecret })
  }
}
