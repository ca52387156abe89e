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
/// A line that is byte for byte the one before in its place is not read anew. It holds 64 short lines, none of
/// which sets a cookie, and belongs to one thread.
final class FieldCache {
  /// What a field means to the transport.
  enum Role: Equatable {
    case contentLength(Int64?)
    case contentCoding
    case other
  }

  private struct Entry {
    let line: [UInt8]
    let field: HTTPField
    let role: Role
  }

  private static let longestLine = 256

  private var entries = [Entry?](repeating: nil, count: 64)

  /// Returns the field of a line without its line break; nil where it is none.
  func field(of line: Span<UInt8>) -> (field: HTTPField, role: Role)? {
    let place = Self.place(of: line)
    if let known = entries[place], Self.isSame(known.line, line) { return (known.field, known.role) }
    guard let field = Self.read(line) else { return nil }
    let role = Self.role(of: field)
    if line.count <= Self.longestLine, field.name != .setCookie {
      let copy = Self.copy(line)
      entries[place] = Entry(line: copy, field: field, role: role)
    }
    return (field, role)
  }

  private static func place(of line: Span<UInt8>) -> Int {
    guard !line.isEmpty else { return 0 }
    var mix = UInt(line.count) &* 31 &+ UInt(line[0])
    mix = mix &* 31 &+ UInt(line[line.count / 2])
    mix = mix &* 31 &+ UInt(line[line.count / 4])
    return Int(mix % 64)
  }

  private static func copy(_ line: Span<UInt8>) -> [UInt8] {
    var copy: [UInt8] = []
    copy.reserveCapacity(line.count)
    for index in line.indices { copy.append(line[index]) }
    return copy
  }

  private static func isSame(_ known: [UInt8], _ line: Span<UInt8>) -> Bool {
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

  private static func role(of field: HTTPField) -> Role {
    switch field.name {
    case .contentLength: .contentLength(Int64(field.value))
    case .contentEncoding: .contentCoding
    default: .other
    }
  }
}
