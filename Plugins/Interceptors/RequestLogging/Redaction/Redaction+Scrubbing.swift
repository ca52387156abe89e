import HTTPTypes
import Interception

extension Redaction {
  /// The minimum length of a value to search for; shorter ones occur by chance.
  private static let minimumSecretLength = 6

  /// Returns the text with every hidden value of the request, and every part of one, replaced.
  func scrubbed(_ text: String, of request: Request) -> String {
    var text = text
    // The longest first, because replacing a part would hide the whole value from the search.
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
    // The same values before percent-decoding.
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
    return Set((values + pieces).filter { $0.utf8.count >= Self.minimumSecretLength })
  }
}
