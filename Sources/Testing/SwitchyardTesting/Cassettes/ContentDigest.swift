/// SHA-256 (FIPS 180-4) for comparing contents; implemented here because the kit uses no cryptography
/// library.
enum ContentDigest {
  /// Returns the 32 bytes of the digest.
  static func sha256(_ bytes: [UInt8]) -> [UInt8] {
    var hash: [UInt32] = roots(of: 2, count: 8)
    let constants = roots(of: 3, count: 64)
    var message = bytes + [0x80]
    while message.count % 64 != 56 { message.append(0) }
    let bits = UInt64(bytes.count) &* 8
    message += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    for start in stride(from: 0, to: message.count, by: 64) {
      absorb(message[start..<start + 64], constants, into: &hash)
    }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  private static func absorb(_ block: ArraySlice<UInt8>, _ constants: [UInt32], into hash: inout [UInt32]) {
    var schedule = [UInt32](repeating: 0, count: 64)
    for place in 0..<64 {
      if place < 16 {
        for byte in block[(block.startIndex + place * 4)...].prefix(4) {
          schedule[place] = schedule[place] << 8 | UInt32(byte)
        }
      } else {
        let early = schedule[place - 15]
        let late = schedule[place - 2]
        let first = turned(early, 7) ^ turned(early, 18) ^ early >> 3
        let second = turned(late, 17) ^ turned(late, 19) ^ late >> 10
        schedule[place] = schedule[place - 16] &+ first &+ schedule[place - 7] &+ second
      }
    }
    var state = hash
    for place in 0..<64 {
      let (a, e) = (state[0], state[4])
      let choice = e & state[5] ^ ~e & state[6]
      let majority = a & state[1] ^ a & state[2] ^ state[1] & state[2]
      let upper = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)
      let lower = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)
      let first = state[7] &+ upper &+ choice &+ constants[place] &+ schedule[place]
      state = [first &+ lower &+ majority, a, state[1], state[2], state[3] &+ first, e, state[5], state[6]]
    }
    for place in 0..<8 { hash[place] &+= state[place] }
  }

  private static func turned(_ word: UInt32, _ count: UInt32) -> UInt32 {
    word >> count | word << (32 - count)
  }

  /// Returns the first 32 bits of the fractional parts of the square or cube roots of the first primes.
  private static func roots(of degree: Int, count: Int) -> [UInt32] {
    var primes: [UInt64] = []
    var candidate: UInt64 = 2
    while primes.count < count {
      if primes.allSatisfy({ candidate % $0 != 0 }) { primes.append(candidate) }
      candidate += 1
    }
    return primes.map { prime in
      // Finds the largest root with 32 fractional bits, bit by bit and exactly, in integer arithmetic.
      var root: UInt64 = 0
      for bit in (0..<37).reversed() {
        let trial = root | 1 << UInt64(bit)
        if isAtMost(trial, degree, prime) { root = trial }
      }
      return UInt32(truncatingIfNeeded: root)
    }
  }

  /// Whether `(root / 2^32)^degree` is at most `prime`.
  private static func isAtMost(_ root: UInt64, _ degree: Int, _ prime: UInt64) -> Bool {
    let wide = UInt128(root)
    guard degree == 3 else { return wide * wide <= UInt128(prime) << 64 }
    let (product, isTooLarge) = (wide * wide).multipliedReportingOverflow(by: wide)
    return !isTooLarge && product <= UInt128(prime) << 96
  }
}
