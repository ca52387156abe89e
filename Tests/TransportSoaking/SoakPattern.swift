/// Bytes that follow from their place, so that a lost, repeated or foreign chunk shows.
enum SoakPattern {
  /// The largest size that is asked for.
  static let most = 256 << 10
  // The period shares no factor with any buffer size.
  private static let all: [UInt8] = (0..<most).map { UInt8($0 % 251) }

  static func bytes(_ count: Int) -> [UInt8] { Array(all.prefix(count)) }

  static func matches(_ bytes: [UInt8], at offset: Int) -> Bool {
    offset + bytes.count <= most && all[offset..<(offset + bytes.count)].elementsEqual(bytes)
  }
}
