import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Header lines that were parsed before: a server sends the same ones with each response.
///
/// A line that equals one of them byte for byte is not parsed again. The cache holds 256 lines of at most 256
/// bytes, none of which sets a cookie, and belongs to one thread.
final class FieldCache {
  /// What a field means to the transport.
  enum Role: Equatable {
    case contentLength(Int64?)
    case contentCoding
    case transferCoding
    case other
  }

  /// A parsed line.
  final class Entry {
    let line: [UInt8]
    let field: HTTPField
    let role: Role

    init(line: [UInt8], field: HTTPField) {
      self.line = line
      self.field = field
      role =
        switch field.name {
        case .contentLength: .contentLength(AnswerFraming.length(field.value[...]))
        case .transferEncoding: .transferCoding
        case .contentEncoding: .contentCoding
        default: .other
        }
    }
  }

  private static let longestLine = 256

  // Pairs of places, the line that came last in the first one of its pair.
  private var entries = [Entry?](repeating: nil, count: 256)

  /// Returns the field of a line without its line break; nil if it is none.
  func entry(of line: Span<UInt8>) -> Entry? {
    // Two places for each line: two lines of one head that shared a single place would evict each other in
    // every response.
    let place = Int(truncatingIfNeeded: Self.hash(line) >> 57) << 1
    if let known = entries[place], Self.isSame(known.line, line) { return known }
    if let known = entries[place | 1], Self.isSame(known.line, line) { return known }
    guard let field = Self.read(line) else { return nil }
    let isKept = line.count <= Self.longestLine && field.name != .setCookie
    let entry = Entry(line: isKept ? Self.copy(line) : [], field: field)
    if isKept {
      entries[place | 1] = entries[place]
      entries[place] = entry
    }
    return entry
  }

  /// A 64-bit hash of the bytes.
  static func hash(_ line: Span<UInt8>) -> UInt64 {
    let bytes = unsafe line.bytes
    var hash = UInt64(truncatingIfNeeded: line.count)
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      hash =
        (hash ^ (unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        &* 0x9E37_79B9_7F4A_7C15
      hash ^= hash >> 29
      offset += 8
    }
    while offset < line.count {
      hash = (hash ^ UInt64(line[offset])) &* 0x9E37_79B9_7F4A_7C15
      offset += 1
    }
    return hash
  }

  private static func copy(_ line: Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(line.count)
    for index in line.indices { copy.append(line[index]) }
    return copy
  }

  /// Whether bytes are equal.
  static func isSame(_ known: [UInt8], _ line: Span<UInt8>) -> Bool {
    guard known.count == line.count else { return false }
    return unsafe line.withUnsafeBytes { new in
      unsafe known.withUnsafeBytes { old in
        guard let new = new.baseAddress, let old = old.baseAddress else { return true }
        return unsafe memcmp(old, new, known.count) == 0
      }
    }
  }

  private static func read(_ line: Span<UInt8>) -> HTTPField? {
    var colon = 0
    while colon < line.count, line[colon] != UInt8(ascii: ":") { colon += 1 }
    guard colon < line.count, let name = HTTPField.Name(HeadParser.text(line, from: 0, to: colon)) else {
      return nil
    }
    return HTTPField(name: name, value: HeadParser.text(line, from: colon + 1))
  }
}
