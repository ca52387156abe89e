/// Continues a hash of the Merkle–Damgård construction from its value alone, as an attacker does
/// who does not know the message.
enum LengthExtension: Sendable, CaseIterable {
  case md5
  case sha256

  /// Returns the padding that the hash function itself adds to a message of a length.
  func padding(after count: Int) -> [UInt8] {
    let zeros = (119 - count % 64) % 64
    let bits = UInt64(count) * 8
    let length = (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(8 * $0)) }
    return [0x80] + [UInt8](repeating: 0, count: zeros) + (self == .md5 ? length : length.reversed())
  }

  /// Returns the hash of a message of `count` bytes, its padding, and `suffix`, from the hash of the message.
  func extended(_ hash: [UInt8], ofCount count: Int, by suffix: [UInt8]) -> [UInt8] {
    let consumed = count + padding(after: count).count
    let rest = suffix + padding(after: consumed + suffix.count)
    var state = words(hash)
    for start in stride(from: 0, to: rest.count, by: 64) {
      let block = words(Array(rest[start..<(start + 64)]))
      state = self == .md5 ? Self.compressMD5(state, block) : Self.compressSHA256(state, block)
    }
    return state.flatMap { word in
      let bytes = (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(8 * $0)) }
      return self == .md5 ? bytes : bytes.reversed()
    }
  }

  /// Splits bytes into words of 32 bits, in the byte order of the hash function.
  private func words(_ bytes: [UInt8]) -> [UInt32] {
    stride(from: 0, to: bytes.count, by: 4).map { start in
      let four = bytes[start..<(start + 4)]
      return (self == .md5 ? Array(four.reversed()) : Array(four)).reduce(0) { $0 << 8 | UInt32($1) }
    }
  }

  private static func left(_ word: UInt32, _ count: UInt32) -> UInt32 { word << count | word >> (32 - count) }

  private static func right(_ word: UInt32, _ count: UInt32) -> UInt32 { left(word, 32 - count) }

  /// The compression function of MD5 (RFC 1321, section 3.4).
  private static func compressMD5(_ state: [UInt32], _ block: [UInt32]) -> [UInt32] {
    let shifts: [UInt32] = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    for step in 0..<64 {
      let (mixed, index): (UInt32, Int)
      switch step / 16 {
      case 0: (mixed, index) = (b & c | ~b & d, step)
      case 1: (mixed, index) = (d & b | ~d & c, (5 * step + 1) % 16)
      case 2: (mixed, index) = (b ^ c ^ d, (3 * step + 5) % 16)
      default: (mixed, index) = (c ^ (b | ~d), 7 * step % 16)
      }
      let sum = a &+ mixed &+ md5Constants[step] &+ block[index]
      (a, d, c, b) = (d, c, b, b &+ left(sum, shifts[step / 16 * 4 + step % 4]))
    }
    return [state[0] &+ a, state[1] &+ b, state[2] &+ c, state[3] &+ d]
  }

  /// The compression function of SHA-256 (FIPS 180-4, section 6.2.2).
  private static func compressSHA256(_ state: [UInt32], _ block: [UInt32]) -> [UInt32] {
    var schedule = block
    for step in 16..<64 {
      let (early, late) = (schedule[step - 15], schedule[step - 2])
      let first = right(early, 7) ^ right(early, 18) ^ early >> 3
      let second = right(late, 17) ^ right(late, 19) ^ late >> 10
      schedule.append(schedule[step - 16] &+ first &+ schedule[step - 7] &+ second)
    }
    var v = state
    for step in 0..<64 {
      let choice = v[4] & v[5] ^ ~v[4] & v[6]
      let sum1 = right(v[4], 6) ^ right(v[4], 11) ^ right(v[4], 25)
      let first = v[7] &+ sum1 &+ choice &+ sha256Constants[step] &+ schedule[step]
      let majority = v[0] & v[1] ^ v[0] & v[2] ^ v[1] & v[2]
      let sum0 = right(v[0], 2) ^ right(v[0], 13) ^ right(v[0], 22)
      v = [first &+ sum0 &+ majority, v[0], v[1], v[2], v[3] &+ first, v[4], v[5], v[6]]
    }
    return zip(state, v).map { $0 &+ $1 }
  }

  /// The integer parts of 2³² × |sin(i)|, for i from 1 to 64.
  private static let md5Constants: [UInt32] = [
    0xD76A_A478, 0xE8C7_B756, 0x2420_70DB, 0xC1BD_CEEE, 0xF57C_0FAF, 0x4787_C62A,
    0xA830_4613, 0xFD46_9501, 0x6980_98D8, 0x8B44_F7AF, 0xFFFF_5BB1, 0x895C_D7BE,
    0x6B90_1122, 0xFD98_7193, 0xA679_438E, 0x49B4_0821, 0xF61E_2562, 0xC040_B340,
    0x265E_5A51, 0xE9B6_C7AA, 0xD62F_105D, 0x0244_1453, 0xD8A1_E681, 0xE7D3_FBC8,
    0x21E1_CDE6, 0xC337_07D6, 0xF4D5_0D87, 0x455A_14ED, 0xA9E3_E905, 0xFCEF_A3F8,
    0x676F_02D9, 0x8D2A_4C8A, 0xFFFA_3942, 0x8771_F681, 0x6D9D_6122, 0xFDE5_380C,
    0xA4BE_EA44, 0x4BDE_CFA9, 0xF6BB_4B60, 0xBEBF_BC70, 0x289B_7EC6, 0xEAA1_27FA,
    0xD4EF_3085, 0x0488_1D05, 0xD9D4_D039, 0xE6DB_99E5, 0x1FA2_7CF8, 0xC4AC_5665,
    0xF429_2244, 0x432A_FF97, 0xAB94_23A7, 0xFC93_A039, 0x655B_59C3, 0x8F0C_CC92,
    0xFFEF_F47D, 0x8584_5DD1, 0x6FA8_7E4F, 0xFE2C_E6E0, 0xA301_4314, 0x4E08_11A1,
    0xF753_7E82, 0xBD3A_F235, 0x2AD7_D2BB, 0xEB86_D391,
  ]

  /// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
  private static let sha256Constants: [UInt32] = [
    0x428A_2F98, 0x7137_4491, 0xB5C0_FBCF, 0xE9B5_DBA5, 0x3956_C25B, 0x59F1_11F1,
    0x923F_82A4, 0xAB1C_5ED5, 0xD807_AA98, 0x1283_5B01, 0x2431_85BE, 0x550C_7DC3,
    0x72BE_5D74, 0x80DE_B1FE, 0x9BDC_06A7, 0xC19B_F174, 0xE49B_69C1, 0xEFBE_4786,
    0x0FC1_9DC6, 0x240C_A1CC, 0x2DE9_2C6F, 0x4A74_84AA, 0x5CB0_A9DC, 0x76F9_88DA,
    0x983E_5152, 0xA831_C66D, 0xB003_27C8, 0xBF59_7FC7, 0xC6E0_0BF3, 0xD5A7_9147,
    0x06CA_6351, 0x1429_2967, 0x27B7_0A85, 0x2E1B_2138, 0x4D2C_6DFC, 0x5338_0D13,
    0x650A_7354, 0x766A_0ABB, 0x81C2_C92E, 0x9272_2C85, 0xA2BF_E8A1, 0xA81A_664B,
    0xC24B_8B70, 0xC76C_51A3, 0xD192_E819, 0xD699_0624, 0xF40E_3585, 0x106A_A070,
    0x19A4_C116, 0x1E37_6C08, 0x2748_774C, 0x34B0_BCB5, 0x391C_0CB3, 0x4ED8_AA4A,
    0x5B9C_CA4F, 0x682E_6FF3, 0x748F_82EE, 0x78A5_636F, 0x84C8_7814, 0x8CC7_0208,
    0x90BE_FFFA, 0xA450_6CEB, 0xBEF9_A3F7, 0xC671_78F2,
  ]
}
