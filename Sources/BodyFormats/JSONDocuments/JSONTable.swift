/// The keys and values of a JSON text as a flat list in the order of the text.
///
/// A key precedes its value, and an array or object precedes its content. A class, so that a value within a
/// document costs one retain.
final class JSONTable: Sendable {
  struct Node {
    /// The offset of the first byte; of a string, of the byte after its quotation mark.
    var start: UInt32
    /// The offset after the last byte; of an array or object, the number of the node after its content.
    var end: UInt32
    var kind: JSONDocument.Kind
    /// Whether it is a string with escapes.
    var isEscaped = false
  }

  let bytes: [UInt8]
  let nodes: [Node]

  init(bytes: [UInt8], nodes: [Node]) {
    self.bytes = bytes
    self.nodes = nodes
  }

  /// Returns the number of the node after a value and its content.
  func node(after value: Int) -> Int {
    let node = nodes[value]
    return switch node.kind {
    case .object, .array: Int(node.end)
    default: value + 1
    }
  }

  /// Returns the value of a key of an object, or nil.
  func value(of key: [UInt8], in object: Int) -> Int? {
    let end = Int(nodes[object].end)
    var place = object + 1
    while place < end {
      if isKey(place, equalTo: key) { return place + 1 }
      place = node(after: place + 1)
    }
    return nil
  }

  /// Returns an element of an array, or nil.
  func element(_ index: Int, of array: Int) -> Int? {
    guard index >= 0 else { return nil }
    let end = Int(nodes[array].end)
    var place = array + 1
    for _ in 0..<index {
      guard place < end else { return nil }
      place = node(after: place)
    }
    return place < end ? place : nil
  }

  /// Returns the text of a string or key.
  func text(of string: Int) -> String {
    let node = nodes[string]
    let range = Int(node.start)..<Int(node.end)
    guard node.isEscaped else { return String(decoding: bytes[range], as: UTF8.self) }
    let key = JSONScan.Key(start: range.lowerBound, end: range.upperBound, hash: 0, isPlain: false)
    let bytes = bytes
    return JSONScan.text(of: key, in: bytes.span)
  }

  /// The maximum number of members that are passed to find the path to a value.
  static let maximumPathSteps = 4096

  /// Returns the components of the path to a value.
  ///
  /// The last one is "…" if more than ``maximumPathSteps`` members precede those on the path. Otherwise a
  /// reader that drops each bad element of a long array would take time in proportion to its square.
  func path(to value: Int) -> [FieldPath.Component] {
    var components: [FieldPath.Component] = []
    var container = 0
    var steps = 0
    while container < value {
      let isObject = nodes[container].kind == .object
      var place = container + 1
      var index = 0
      while true {
        let member = isObject ? place + 1 : place
        let next = node(after: member)
        if value < next {
          components.append(isObject ? .key(text(of: place)) : .index(index))
          container = member
          break
        }
        guard steps < Self.maximumPathSteps else { return components + [.key("…")] }
        place = next
        index += 1
        steps += 1
      }
    }
    return components
  }

  private func isKey(_ place: Int, equalTo key: [UInt8]) -> Bool {
    let node = nodes[place]
    if node.isEscaped { return text(of: place).utf8.elementsEqual(key) }
    let start = Int(node.start)
    guard Int(node.end) - start == key.count else { return false }
    for offset in 0..<key.count where bytes[start + offset] != key[offset] { return false }
    return true
  }
}
