/// The CRC-32C of a body (RFC 3720, appendix B.4), computed four bytes at a time.
struct CRC32C: Sendable {
  private var register: UInt32 = .max

  /// The checksum of the bytes so far.
  var value: UInt32 { ~register }

  /// The checksum as four big-endian bytes in base 64.
  var text: String {
    Base64.encode((0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * UInt32($0))) })
  }

  /// Adds bytes.
  mutating func update(_ bytes: ArraySlice<UInt8>) {
    var crc = register
    Self.tables.withUnsafeBufferPointer { tables in
      bytes.withUnsafeBytes { bytes in
        var index = 0
        while index + 4 <= bytes.count {
          crc ^= UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self))
          crc =
            tables[768 + Int(crc & 0xFF)] ^ tables[512 + Int(crc >> 8 & 0xFF)]
            ^ tables[256 + Int(crc >> 16 & 0xFF)] ^ tables[Int(crc >> 24)]
          index += 4
        }
        while index < bytes.count {
          crc = crc >> 8 ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
          index += 1
        }
      }
    }
    register = crc
  }

  /// Four tables of 256 entries: the remainders of a byte, and of a byte followed by one to three zeros.
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 1_024)
    for byte in 0..<256 {
      var crc = UInt32(byte)
      for _ in 0..<8 { crc = crc >> 1 ^ (crc & 1 == 1 ? 0x82F6_3B78 : 0) }
      tables[byte] = crc
    }
    for index in 256..<1_024 {
      let previous = tables[index - 256]
      tables[index] = previous >> 8 ^ tables[Int(previous & 0xFF)]
    }
    return tables
  }()
}
