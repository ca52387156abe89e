/// The SplitMix64 generator: equal seeds give equal numbers.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  /// Creates a separate generator for each number of one seed, whatever their order.
  init(seed: UInt64, number: Int) {
    var first = SplitMix(state: seed)
    state = first.next() &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03
  }

  private init(state: UInt64) { self.state = state }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// Returns true once in `count` times on average.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
