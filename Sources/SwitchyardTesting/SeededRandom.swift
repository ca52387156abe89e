/// Random numbers that are the same at every run: xoshiro256** 1.0, its state made of a seed by splitmix64.
///
/// The sequence of a seed never changes between versions, so a test may name the seed that found a fault. It
/// is fit for tests and simulations, and for nothing that must not be guessed.
public struct SeededRandom: RandomNumberGenerator, Sendable, Hashable {
  private var s0: UInt64
  private var s1: UInt64
  private var s2: UInt64
  private var s3: UInt64

  /// Makes a generator; every seed is good, 0 as well.
  public init(seed: UInt64) {
    var mixer = SplitMix(state: seed)
    self.init(state: (mixer.next(), mixer.next(), mixer.next(), mixer.next()))
  }

  /// Makes a generator of a whole state, which must not be all zeros.
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

  /// Returns a generator of its own for another part of a test; what that part draws doesn't change this
  /// one's numbers.
  public mutating func fork() -> SeededRandom { SeededRandom(seed: next()) }
}

/// The splitmix64 generator, which spreads a seed over a state.
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
