/// Base 64 with padding (RFC 4648, section 4).
enum Base64 {
  static func encode(_ bytes: some Collection<UInt8>) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    var group: UInt32 = 0
    var count = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      count += 1
      guard count == 3 else { continue }
      for shift in [18, 12, 6, 0] as [UInt32] { text.append(alphabet[Int(group >> shift & 63)]) }
      (group, count) = (0, 0)
    }
    if count > 0 {
      group <<= UInt32(3 - count) * 8
      for position in 0..<4 {
        text.append(
          position <= count ? alphabet[Int(group >> UInt32(18 - 6 * position) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
