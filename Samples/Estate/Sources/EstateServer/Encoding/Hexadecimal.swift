import CLibcrypto

/// Converts bytes to hexadecimal text and back, and makes random text.
enum Hexadecimal {
  private static let digits = Array("0123456789abcdef".utf8)

  static func text(_ bytes: some Sequence<UInt8>) -> String {
    String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  /// The bytes of an even number of digits, or `nil`.
  static func bytes(_ text: String) -> [UInt8]? {
    let values = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
    guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { UInt8(values[$0] << 4 | values[$0 + 1]) }
  }

  /// Returns some random bytes in hexadecimal.
  static func random(_ count: Int) -> String { text((0..<count).map { _ in UInt8.random(in: 0...255) }) }
}

/// HMAC-SHA256 (RFC 2104) by libcrypto.
enum MessageCode {
  /// The 32 bytes of the code; none if libcrypto can't compute it.
  static func bytes(of message: [UInt8], key: [UInt8]) -> [UInt8] {
    var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &code, &count) != nil else {
      return []
    }
    return Array(code.prefix(Int(count)))
  }
}

/// SHA-256 by libcrypto.
enum SHA256Digest {
  static func bytes(of message: [UInt8]) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: Int(SHA256_DIGEST_LENGTH)) { digest, count in
      // libcrypto reads exactly the bytes of `message` and writes exactly the requested capacity.
      message.withUnsafeBufferPointer { input in
        _ = SHA256(input.baseAddress, input.count, digest.baseAddress)
      }
      count = Int(SHA256_DIGEST_LENGTH)
    }
  }
}
