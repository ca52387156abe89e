/// A request's path, split into the path proper and the query.
struct TargetParts {
  /// The bytes before the question mark.
  let path: Substring.UTF8View
  /// The bytes after the question mark; nil without one.
  let query: Substring.UTF8View?

  init(_ target: String) {
    let bytes = target.utf8
    guard let mark = bytes.firstIndex(of: UInt8(ascii: "?")) else {
      path = target[...].utf8
      query = nil
      return
    }
    path = target[..<mark].utf8
    query = target[bytes.index(after: mark)...].utf8
  }

  /// Returns a target with further query items, which are already encoded.
  static func adding(_ items: String, to target: String) -> String {
    guard let query = TargetParts(target).query else { return "\(target)?\(items)" }
    return query.isEmpty || query.last == UInt8(ascii: "&") ? target + items : "\(target)&\(items)"
  }
}
