import Interception

/// Writes paths as vendors cover them.
enum CanonicalPath {
  /// Writes a path whose empty segments and dot segments (RFC 3986, section 5.2.4) are removed, and encodes
  /// it once more.
  static func writeNormalized(_ path: some BidirectionalCollection<UInt8>, to text: inout CanonicalText) {
    let slash = UInt8(ascii: "/")
    // Nearly every path is normal.
    guard needsNormalizing(path) else { return writeEncoded(path, to: &text) }
    var kept: [ArraySlice<UInt8>] = []
    for segment in Array(path).split(separator: slash) {
      if segment.elementsEqual(".".utf8) { continue }
      if segment.elementsEqual("..".utf8) { _ = kept.popLast() } else { kept.append(segment) }
    }
    for segment in kept {
      text.append(byte: slash)
      text.append(encoding: segment)
    }
    if kept.isEmpty || path.last == slash { text.append(byte: slash) }
  }

  /// Encodes a path once more, whatever its segments.
  static func writeEncoded(_ path: some BidirectionalCollection<UInt8>, to text: inout CanonicalText) {
    if path.isEmpty { text.append(byte: UInt8(ascii: "/")) }
    let isPlain: Bool? = path.withContiguousStorageIfAvailable { path in
      guard path.allSatisfy({ $0 == UInt8(ascii: "/") || PercentEncoding.isUnreserved($0) }) else {
        return false
      }
      text.append(path)
      return true
    }
    guard isPlain != true else { return }
    for byte in path {
      if byte == UInt8(ascii: "/") { text.append(byte: byte) } else { text.append(encoding: byte) }
    }
  }

  /// Writes a path in which each octet is encoded once: existing encodings are kept, unless they encode an
  /// unreserved character.
  static func writeEncodedOnce(_ path: some BidirectionalCollection<UInt8>, to text: inout CanonicalText) {
    // Nothing in a path without a percent sign is encoded twice.
    guard path.contains(UInt8(ascii: "%")) else { return writeEncoded(path, to: &text) }
    var rest = Array(path)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "/") {
        text.append(byte: byte)
      } else if byte == UInt8(ascii: "%"), let high = rest.first?.hexadecimalValue,
        let low = rest.dropFirst().first?.hexadecimalValue
      {
        text.append(encoding: high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        text.append(encoding: byte)
      }
    }
  }

  /// Whether a path has an empty segment, or one that begins with a dot.
  private static func needsNormalizing(_ path: some Collection<UInt8>) -> Bool {
    var previous: UInt8 = 0
    for byte in path {
      if previous == UInt8(ascii: "/"), byte == UInt8(ascii: "/") || byte == UInt8(ascii: ".") { return true }
      previous = byte
    }
    return path.isEmpty
  }
}

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
