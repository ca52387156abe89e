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
