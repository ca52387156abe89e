import HTTPTypes

#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Header lines that were read before: servers send the same ones again and again.
///
/// A line that is byte for byte one of them is not read anew. It holds 256 short lines, none of which sets a cookie, and
/// belongs to one thread.
final class FieldCache {
  /// What a field means to the transport.
  enum Role: Equatable {
    case contentLength(Int64?)
    case contentCoding
    case transferCoding
    case other
  }

  /// A line that was read.
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

  /// Returns what a line without its line break says, and whether it was known; nil where it is no field.
  func entry(of line: Span<UInt8>) -> (entry: Entry, isKnown: Bool)? {
    // Two places for each line: two lines of one head that met in one would be read anew in every answer.
    let place = Int(truncatingIfNeeded: Self.mix(line) >> 57) << 1
    if let known = entries[place], Self.isSame(known.line, line) { return (known, true) }
    if let known = entries[place | 1], Self.isSame(known.line, line) { return (known, true) }
    guard let field = Self.read(line) else { return nil }
    let isKept = line.count <= Self.longestLine && field.name != .setCookie
    let entry = Entry(line: isKept ? Self.copy(line) : [], field: field)
    if isKept {
      entries[place | 1] = entries[place]
      entries[place] = entry
    }
    return (entry, false)
  }

  /// A number that differs where any of the bytes does, as good as always.
  static func mix(_ line: Span<UInt8>) -> UInt64 {
    // Every byte counts, eight at a time: lines differ in any of them.
    let bytes = unsafe line.bytes
    var mix = UInt64(truncatingIfNeeded: line.count)
    var offset = 0
    while offset + 8 <= bytes.byteCount {
      mix =
        (mix ^ (unsafe bytes.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)))
        &* 0x9E37_79B9_7F4A_7C15
      mix ^= mix >> 29
      offset += 8
    }
    while offset < line.count {
      mix = (mix ^ UInt64(line[offset])) &* 0x9E37_79B9_7F4A_7C15
      offset += 1
    }
    return mix
  }

  private static func copy(_ line: Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(line.count)
    for index in line.indices { copy.append(line[index]) }
    return copy
  }

  /// Whether bytes are the same.
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
