import Interception

/// The `Cache-Control` directives that apply to a private cache (RFC 9111, section 5.2, and RFC 5861).
///
/// Commas and equals signs within quoted strings are not separators. `no-cache` with a list of fields is
/// treated as if it had no list; `private` is ignored, because this cache is private.
struct CacheControl: Sendable, Hashable {
  /// Whether storing is forbidden.
  private(set) var noStore = false
  /// Whether a stored response must be revalidated before each use.
  private(set) var noCache = false
  /// The lifetime; the shortest if there are several, zero if malformed, at most 2^31 s.
  private(set) var maxAge: Duration?
  /// Whether a stale response must not be used without revalidation.
  private(set) var mustRevalidate = false
  /// How long after its lifetime a response may be used while it is revalidated; parsed like the lifetime.
  private(set) var staleWhileRevalidate: Duration?

  init(_ value: String?) {
    guard let value else { return }
    let isDone: Void? = value.utf8.withContiguousStorageIfAvailable { read($0[...]) }
    if isDone == nil { Array(value.utf8).withUnsafeBufferPointer { read($0[...]) } }
  }

  /// Parses a number of seconds (RFC 9111, section 1.2.2); nil for anything but digits.
  static func seconds(_ text: Substring) -> Duration? {
    Array(text.utf8).withUnsafeBufferPointer { seconds($0[...]) }
  }

  private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

  /// The maximum number of seconds (RFC 9111, section 1.2.2).
  private static let longest: Int64 = 1 << 31

  private mutating func read(_ text: Bytes) {
    var start = text.startIndex
    var (isQuoted, isEscaped) = (false, false)
    // The collection's own `indices` are a generic slice, which takes longer to create than to iterate.
    for index in text.startIndex..<text.endIndex {
      let byte = text[index]
      if isEscaped {
        isEscaped = false
      } else if isQuoted, byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isQuoted.toggle()
      } else if byte == UInt8(ascii: ","), !isQuoted {
        take(text[start..<index])
        start = index + 1
      }
    }
    take(text[start...])
  }

  private mutating func take(_ directive: Bytes) {
    let middle = directive.firstIndex(of: UInt8(ascii: "="))
    let name = directive[..<(middle ?? directive.endIndex)].trimmingWhitespace()
    if Self.isName(name, "no-store") {
      noStore = true
    } else if Self.isName(name, "no-cache") {
      noCache = true
    } else if Self.isName(name, "max-age") {
      maxAge = Self.shortest(maxAge, directive, after: middle)
    } else if Self.isName(name, "must-revalidate") {
      mustRevalidate = true
    } else if Self.isName(name, "stale-while-revalidate") {
      staleWhileRevalidate = Self.shortest(staleWhileRevalidate, directive, after: middle)
    }
  }

  /// The shorter of a previous time and the one after an equals sign, which is zero if malformed.
  private static func shortest(_ former: Duration?, _ directive: Bytes, after middle: Int?) -> Duration {
    let time = middle.flatMap { seconds(directive[($0 + 1)...]) } ?? .zero
    return min(former ?? time, time)
  }

  /// Whether the bytes equal a lower-case name, ignoring case.
  private static func isName(_ bytes: Bytes, _ name: StaticString) -> Bool {
    guard bytes.count == name.utf8CodeUnitCount else { return false }
    return name.withUTF8Buffer { name in
      zip(bytes, name).allSatisfy { byte, letter in
        ((0x41...0x5A).contains(byte) ? byte | 0x20 : byte) == letter
      }
    }
  }

  private static func seconds(_ text: Bytes) -> Duration? {
    var digits = text.trimmingWhitespace()
    if digits.count >= 2, digits.first == UInt8(ascii: "\""), digits.last == UInt8(ascii: "\"") {
      digits = digits.dropFirst().dropLast()
    }
    guard !digits.isEmpty else { return nil }
    var number: Int64 = 0
    for digit in digits {
      guard (0x30...0x39).contains(digit) else { return nil }
      number = min(number * 10 + Int64(digit - 0x30), longest)
    }
    return .seconds(number)
  }
}
