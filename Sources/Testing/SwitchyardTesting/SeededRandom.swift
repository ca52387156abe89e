/// A reproducible random number generator: xoshiro256** 1.0, whose state splitmix64 derives from a seed.
///
/// The sequence of a seed never changes between versions, so a test can name the seed that revealed a fault.
/// Use it for tests and simulations, never for values that must be unpredictable.
public struct SeededRandom: RandomNumberGenerator, Sendable, Hashable {
  private var s0: UInt64
  private var s1: UInt64
  private var s2: UInt64
  private var s3: UInt64

  /// Creates a generator; every seed is valid, including 0.
  public init(seed: UInt64) {
    var mixer = SplitMix(state: seed)
    self.init(state: (mixer.next(), mixer.next(), mixer.next(), mixer.next()))
  }

  /// Creates a generator with a given state, which must not be all zeros.
  init(state: (UInt64, UInt64, UInt64, UInt64)) { (s0, s1, s2, s3) = state }

  /// Returns the next number.
  public mutating func next() -> UInt64 {
    let scrambled = s1 &* 5
    let result = (scrambled << 7 | scrambled >> 57) &* 9
    let shifted = s1 << 17
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    s2 ^= shifted
    s3 = s3 << 45 | s3 >> 19
    return result
  }

  /// Returns an independent generator for another part of a test, whose use does not affect this one's
  /// numbers.
  package mutating func fork() -> SeededRandom { SeededRandom(seed: next()) }
}

/// The splitmix64 generator, which expands a seed to a state.
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
    return mixed ^ mixed >> 31
  }
}
