#if LoopbackTesting

/// The content of a loopback server's response.
public enum LoopbackContent: Sendable, Hashable {
  /// The given bytes.
  case bytes([UInt8])
  /// A number of bytes with a known pattern, generated while they are sent.
  case pattern(Int64)

  /// The number of bytes.
  var length: Int64 {
    switch self {
    case .bytes(let bytes): Int64(bytes.count)
    case .pattern(let length): max(length, 0)
    }
  }

  /// Returns the byte of the pattern at an offset; its period is 65,521, which no common chunk size is a
  /// multiple of.
  package static func patternByte(at offset: Int64) -> UInt8 {
    let place = offset % 65_521
    return UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8)
  }

  /// Returns the bytes in a range, which must be within the content.
  func slice(_ range: Range<Int64>) -> [UInt8] {
    switch self {
    case .bytes(let bytes): Array(bytes[Int(range.lowerBound)..<Int(range.upperBound)])
    case .pattern: Self.pattern(range)
    }
  }

  // A table of one period: generating byte by byte is too slow for megabytes in a debug build.
  private static let period: [UInt8] = (0..<65_521).map(patternByte)

  private static func pattern(_ range: Range<Int64>) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(range.count)
    while bytes.count < range.count {
      let start = Int((range.lowerBound + Int64(bytes.count)) % 65_521)
      bytes += period[start...].prefix(range.count - bytes.count)
    }
    return bytes
  }
}
#endif
