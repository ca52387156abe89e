/// The 64-bit FNV-1a hash, which recognizes accidental changes of a record.
package enum RecordChecksum {
  /// Returns the hash of bytes.
  package static func of(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    return hash
  }
}
