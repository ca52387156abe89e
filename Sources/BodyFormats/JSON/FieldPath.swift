/// Formats the path to a field of a nested value, such as `items[3].price`.
package enum FieldPath {
  /// A step from a value to one within it.
  package enum Component: Hashable {
    case key(String)
    case index(Int)
  }

  /// The maximum number of bytes of a key that are shown.
  static let maximumKeyBytes = 64
  /// The maximum number of bytes of a path that are shown.
  static let maximumBytes = 200

  /// Returns the path as text, or nil for the value as a whole.
  ///
  /// Keys may be the content of a response, so the text is bounded, has no control characters, and shows the
  /// end of a long path, where the field is.
  package static func text(_ path: [Component]) -> String? {
    guard !path.isEmpty else { return nil }
    var steps: [String] = []
    var count = 0
    for component in path.reversed() {
      let step =
        switch component {
        case .index(let index): "[\(index)]"
        case .key(let key): ".\(shown(key))"
        }
      count += step.utf8.count
      guard count <= maximumBytes else {
        steps.append("…")
        break
      }
      steps.append(step)
    }
    let text = steps.reversed().joined()
    return text.first == "." ? String(text.dropFirst()) : text
  }

  /// Returns the path of a coding path.
  package static func text(_ path: [any CodingKey]) -> String? {
    text(path.map { key in key.intValue.map { .index($0) } ?? .key(key.stringValue) })
  }

  private static func shown(_ key: String) -> String {
    var text = ""
    for scalar in key.unicodeScalars {
      guard text.utf8.count < maximumKeyBytes else { return text + "…" }
      let isControl = scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)
      text.unicodeScalars.append(isControl ? "?" : scalar)
    }
    return text
  }
}
