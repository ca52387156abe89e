/// Bytes of known compressibility.
enum SampleBytes {
  /// Incompressible bytes, the same for the same seed.
  static func noise(_ count: Int, seed: UInt64 = 1) -> [UInt8] {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 | 1
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count + 8)
    while bytes.count < count {
      state ^= state << 13
      state ^= state >> 7
      state ^= state << 17
      withUnsafeBytes(of: state) { bytes.append(contentsOf: $0) }
    }
    return Array(bytes.prefix(count))
  }

  /// JSON lines like an app's list of houses.
  static func text(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    var number = 0
    while bytes.count < count {
      bytes += Array(#"{"id":\#(number),"district":"Old Town","price":\#(number * 7919 % 900_000)},"#.utf8)
      number += 1
    }
    return Array(bytes.prefix(count))
  }
}
