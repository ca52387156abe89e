package import SwitchyardTesting

extension SeededRandom {
  /// Returns a number below a bound.
  package mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
}
