/// Formats the path to a field of a nested value, such as `items[3].price`.
enum FieldPath {
  /// Returns the path as text, or nil for the value as a whole.
  static func text(_ path: [any CodingKey]) -> String? {
    var text = ""
    for key in path {
      if let index = key.intValue {
        text += "[\(index)]"
      } else {
        text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
      }
    }
    return text.isEmpty ? nil : text
  }
}
