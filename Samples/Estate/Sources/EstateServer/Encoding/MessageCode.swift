import CLibcrypto

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
