/// One pass over a JSON text that finds what a decoder would read without bound, or read differently from
/// another one.
///
/// It is not a parser: it knows strings, brackets and keys, and leaves everything else to the decoder. A text
/// that it accepts is either decoded or refused by the decoder; the depth that it finds is that of any parser
/// up to the first syntax error.
struct JSONScan {
  /// What is wrong, with the offset of the byte.
  enum Fault: Error, Hashable {
    /// The text is UTF-16 or UTF-32, which RFC 8259, section 8.1, does not allow.
    case notUTF8
    /// The array or object at this offset is nested too deeply.
    case tooDeep(at: Int)
    /// The key whose first quotation mark is at this offset occurs before in its object.
    case duplicateKey(at: Int)
    /// The text ends within a string, or before all arrays and objects are closed.
    case truncated
    /// The byte at this offset is not allowed there by the grammar; found by ``JSONTableBuilder`` alone.
    case unexpected(at: Int)
  }

  /// The offsets of a key between its quotation marks, and a hash of its bytes.
  struct Key {
    var start: Int
    var end: Int
    var hash: UInt64
    /// Whether it is ASCII without escapes, so that equal keys have equal bytes.
    var isPlain: Bool
  }

  private var nesting: JSONNesting

  init(maximumDepth: Int, findsDuplicates: Bool) {
    nesting = JSONNesting(maximumDepth: maximumDepth, findsDuplicates: findsDuplicates)
  }

  /// Scans a text from its first to its last byte.
  mutating func check(_ bytes: Span<UInt8>) throws(Fault) {
    if Self.isWide(bytes) { throw .notUTF8 }
    nesting.containers.reserveCapacity(32)
    nesting.keys.reserveCapacity(64)
    var index = 0
    while true {
      index = JSONSyntax.endOfGap(in: bytes, from: index)
      guard index < bytes.count else { break }
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "\""):
        let end = try Self.endOfString(in: bytes, from: index + 1)
        if nesting.findsDuplicates, nesting.isInObject == true, Self.isKey(in: bytes, upTo: end) {
          nesting.keys.append(Self.key(in: bytes, from: index + 1, to: end))
        }
        index = end
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        try nesting.open(isObject: byte == UInt8(ascii: "{"), at: index)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = try nesting.close(in: bytes)
      default: break
      }
      index += 1
    }
    guard nesting.containers.isEmpty else { throw .truncated }
  }

  /// Returns the offset of the first "NaN" in a text, which an encoder has written in place of a number; nil
  /// if there is none.
  static func offsetOfNaN(in bytes: Span<UInt8>) -> Int? {
    var index = 0
    while index < bytes.count {
      switch bytes[index] {
      // No token of JSON but a string contains the letter.
      case UInt8(ascii: "N"): return index
      case UInt8(ascii: "\""):
        guard let end = try? endOfString(in: bytes, from: index + 1) else { return nil }
        index = end
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Whether a text is UTF-16 or UTF-32.
  static func isWide(_ bytes: Span<UInt8>) -> Bool {
    // Every ASCII character, and a JSON text starts with one, contains a zero byte in UTF-16 and UTF-32.
    bytes.count >= 2 && (bytes[0] == 0 || bytes[1] == 0 || bytes[0] >= 0xFE)
  }

  /// Returns the offset of the quotation mark that ends a string.
  private static func endOfString(in bytes: Span<UInt8>, from start: Int) throws(Fault) -> Int {
    var index = start
    while index < bytes.count {
      // All but quotation marks and backslashes is left to the decoder.
      index = JSONSyntax.endOfPlainText(in: bytes, from: index, isStrict: false)
      guard index < bytes.count else { break }
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return index }
      index += byte == UInt8(ascii: "\\") ? 2 : 1
    }
    throw .truncated
  }

  /// Whether a colon follows the quotation mark at an offset.
  private static func isKey(in bytes: Span<UInt8>, upTo end: Int) -> Bool {
    let next = JSONSyntax.endOfSpace(in: bytes, from: end + 1)
    return next < bytes.count && bytes[next] == UInt8(ascii: ":")
  }

  /// Returns the key that starts at an offset.
  static func key(in bytes: Span<UInt8>, from start: Int) throws(Fault) -> Key {
    key(in: bytes, from: start, to: try endOfString(in: bytes, from: start))
  }

  /// Returns the key between two quotation marks.
  private static func key(in bytes: Span<UInt8>, from start: Int, to end: Int) -> Key {
    let raw = bytes.bytes
    var (index, hash, isPlain) = (start, 0xCBF2_9CE4_8422_2325 as UInt64, true)
    // Eight bytes at a time, of which the last ones may belong to what follows.
    while index < end {
      var word: UInt64 = 0
      if index &+ 8 <= raw.byteCount {
        word = UInt64(littleEndian: raw.unsafeLoadUnaligned(fromByteOffset: index, as: UInt64.self))
        if end &- index < 8 { word &= 1 << UInt64(8 &* (end &- index)) &- 1 }
      } else {
        for place in index..<end { word |= UInt64(bytes[place]) << UInt64(8 &* (place &- index)) }
      }
      isPlain = isPlain && JSONSyntax.hasOnlyPlainASCII(word)
      hash = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 32
      index &+= 8
    }
    return Key(start: start, end: end, hash: hash, isPlain: isPlain)
  }
}

/// The arrays and objects around a place of a JSON text, and the keys of those objects.
struct JSONNesting {
  struct Container {
    let isObject: Bool
    /// The number of keys of the containers around it.
    let firstKey: Int
    /// What a parser has made of it.
    let node: Int
  }

  let maximumDepth: Int
  let findsDuplicates: Bool
  var containers: [Container] = []
  /// The keys of the objects that are open.
  var keys: [JSONScan.Key] = []
  /// The hashes of the keys of some objects, which are all different within an object.
  ///
  /// The objects of an array have the same keys, but for those that are left out.
  private var known: [[UInt64]] = []
  /// The one that was used last.
  private var lastKnown = 0

  init(maximumDepth: Int, findsDuplicates: Bool) {
    self.maximumDepth = maximumDepth
    self.findsDuplicates = findsDuplicates
  }

  /// Whether the innermost container is an object; nil if there is none.
  var isInObject: Bool? { containers.last?.isObject }

  /// Begins an array or object.
  mutating func open(isObject: Bool, at offset: Int, node: Int = 0) throws(JSONScan.Fault) {
    guard containers.count < maximumDepth else { throw .tooDeep(at: offset) }
    containers.append(Container(isObject: isObject, firstKey: keys.count, node: node))
  }

  /// Ends the innermost array or object, and returns it; nil if there is none.
  mutating func close(in bytes: Span<UInt8>) throws(JSONScan.Fault) -> Container? {
    guard let container = containers.popLast() else { return nil }
    let count = keys.count - container.firstKey
    if count > 1, !hasKnownKeys(from: container.firstKey) {
      let (duplicate, areDistinct) = JSONScan.duplicate(among: &keys, from: container.firstKey, in: bytes)
      if let duplicate { throw .duplicateKey(at: duplicate - 1) }
      if areDistinct { remember(keys[container.firstKey...].map(\.hash)) }
    }
    if count > 0 { keys.removeLast(count) }
    return container
  }

  /// Whether the hashes of an object's keys are known to be all different, and so the keys, too.
  private mutating func hasKnownKeys(from first: Int) -> Bool {
    for offset in 0..<known.count {
      let index = (lastKnown + offset) % known.count
      if areKeys(from: first, known[index]) {
        lastKnown = index
        return true
      }
    }
    return false
  }

  private func areKeys(from first: Int, _ hashes: [UInt64]) -> Bool {
    guard keys.count - first == hashes.count else { return false }
    for place in 0..<hashes.count {
      guard keys[first + place].hash == hashes[place], keys[first + place].isPlain else { return false }
    }
    return true
  }

  /// Replaces the oldest ones of some hashes.
  private mutating func remember(_ hashes: [UInt64]) {
    if known.count < 4 {
      known.append(hashes)
    } else {
      lastKnown = (lastKnown + 1) % 4
      known[lastKnown] = hashes
    }
  }
}

extension JSONScan.Fault {
  /// Returns the error for the caller, with the path to the place of the fault.
  func error(in bytes: [UInt8], maximumDepth: Int) -> BodyDecodingError {
    let slice = bytes[...]
    switch self {
    case .notUTF8:
      return BodyDecodingError(
        .malformed, "The content is UTF-16 or UTF-32; JSON must be UTF-8 (RFC 8259, section 8.1).",
        at: 0)
    case .truncated:
      return BodyDecodingError(
        .malformed,
        "The content should be JSON, but ends within a string, an array or an object, after \(bytes.count) bytes.",
        at: bytes.count)
    case .unexpected(let offset):
      return BodyDecodingError(
        .malformed,
        "The content should be JSON, but its \(bytes.count) bytes cannot be parsed from offset \(offset) on.",
        at: offset)
    case .tooDeep(let offset):
      return BodyDecodingError(
        .tooDeep(limit: maximumDepth), field: FieldPath.text(JSONPlace.path(to: offset, in: slice.span)),
        "The content nests more than the \(maximumDepth) arrays and objects allowed; request another format.",
        at: offset)
    case .duplicateKey(let offset):
      let field = FieldPath.text(JSONPlace.path(to: offset, in: slice.span))
      return BodyDecodingError(
        .duplicateKey, field: field,
        "`\(field ?? "")` occurs more than once in its object; have the server send it once, or accept duplicate keys.",
        at: offset)
    }
  }
}
