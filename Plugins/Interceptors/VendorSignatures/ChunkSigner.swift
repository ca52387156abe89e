import Cryptography
import HTTPTypes

/// Signs the chunks of a body, each together with the signature of the previous one.
struct ChunkSigner: Sendable {
  static let signaturePrefix = ";chunk-signature="
  static let trailerSignatureName = "x-amz-trailer-signature"

  private let key: PreparedKey
  /// Time and scope, each with a line break.
  private let context: [UInt8]
  private var previous: HashValue

  /// - Parameter seed: The signature of the request's head.
  init(_ moment: AWSKeyCache.Moment, seed: HashValue) {
    key = moment.key
    context = Array("\(moment.dateField.value)\n\(moment.scope)\n".utf8)
    previous = seed
  }

  /// Returns a chunk as it is sent: size and signature in a line, and the data, which a line break ends
  /// unless they are empty.
  mutating func chunk(_ data: ArraySlice<UInt8>) throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    guard data.withUnsafeBytes({ digest.takes($0) }) else { throw Digest.failure }
    let hash = try digest.value()
    var text = CanonicalText(reserving: 320)
    text.append("AWS4-HMAC-SHA256-PAYLOAD\n")
    text.append(context)
    text.append(previous)
    text.endLine()
    // The hash of an empty text: chunks have no fields.
    text.append(Hexadecimal.encode(Digest.ofNothing))
    text.endLine()
    text.append(hash)
    previous = try key.value(of: text.bytes, in: &digest)
    var chunk = CanonicalText(reserving: data.count + 104)
    chunk.append(String(data.count, radix: 16))
    chunk.append(Self.signaturePrefix)
    chunk.append(previous)
    chunk.append("\r\n")
    if !data.isEmpty {
      chunk.append(data)
      chunk.append("\r\n")
    }
    return chunk.bytes
  }

  /// Returns a trailer and its signature, each in a line.
  mutating func trailer(_ name: String, _ value: String) throws(CryptographyError) -> [UInt8] {
    var digest = try Digest()
    let hash = try digest.hash(of: Array("\(name):\(value)\n".utf8))
    var text = CanonicalText(reserving: 256)
    text.append("AWS4-HMAC-SHA256-TRAILER\n")
    text.append(context)
    text.append(previous)
    text.endLine()
    text.append(hash)
    previous = try key.value(of: text.bytes, in: &digest)
    var lines = CanonicalText(reserving: 160)
    lines.append("\(name):\(value)\r\n\(Self.trailerSignatureName):")
    lines.append(previous)
    lines.append("\r\n")
    return lines.bytes
  }
}

extension ChunkSigner: CustomReflectable {
  /// Empty, so that `dump` and `Mirror` can't reveal material derived from the secret.
  var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

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
