/// The generator «SplitMix64»: a seed gives the same numbers everywhere.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  /// A generator of its own for each number of one seed, whatever the order in which they are asked.
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

  /// Whether something happens that happens once in `count` times.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
