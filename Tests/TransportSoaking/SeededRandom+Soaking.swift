import SwitchyardTesting

extension SeededRandom {
  /// Creates a separate generator for each number of one seed, whatever their order.
  init(seed: UInt64, number: Int) {
    var first = SeededRandom(seed: seed)
    self.init(seed: first.next() &+ UInt64(truncatingIfNeeded: number) &* 0xD1B5_4A32_D192_ED03)
  }

  /// Returns true once in `count` times on average.
  mutating func oneIn(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &self) == 0 }
}
