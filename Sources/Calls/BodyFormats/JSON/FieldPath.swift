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

/// Finds the path to a byte of a JSON text, for errors.
struct JSONPlace {
  private struct Container {
    let isObject: Bool
    var index = 0
    var key = ""
  }

  private var containers: [Container] = []

  private init() {}

  /// Returns the components of the path to the key, array or object that starts at an offset.
  ///
  /// The text before the offset has been scanned without a fault.
  static func path(to offset: Int, in bytes: Span<UInt8>) -> [FieldPath.Component] {
    var place = JSONPlace()
    place.walk(bytes, to: offset)
    return place.containers.map { $0.isObject ? .key($0.key) : .index($0.index) }
  }

  private mutating func walk(_ bytes: Span<UInt8>, to offset: Int) {
    var index = 0
    var expectsKey = false
    while index < bytes.count, index <= offset {
      switch bytes[index] {
      case UInt8(ascii: "\""):
        let start = index + 1
        index = start
        while index < bytes.count, bytes[index] != UInt8(ascii: "\"") {
          index += bytes[index] == UInt8(ascii: "\\") ? 2 : 1
        }
        if expectsKey, let last = containers.indices.last {
          let end = min(index, start + FieldPath.maximumKeyBytes + 1)
          containers[last].key = JSONScan.text(
            of: JSONScan.Key(start: start, end: min(end, bytes.count), hash: 0, isPlain: false), in: bytes)
        }
        expectsKey = false
      case UInt8(ascii: ","):
        guard let last = containers.indices.last else { break }
        containers[last].index += 1
        expectsKey = containers[last].isObject
      case UInt8(ascii: "{") where index < offset:
        containers.append(Container(isObject: true))
        expectsKey = true
      case UInt8(ascii: "[") where index < offset:
        containers.append(Container(isObject: false))
        expectsKey = false
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        _ = containers.popLast()
        expectsKey = false
      default: break
      }
      index += 1
    }
  }
}
