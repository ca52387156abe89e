import Cryptography

/// Unique numbers of 128 bits, one for each signature.
enum RandomNonce {
  /// Returns 32 lower-case hexadecimal digits from libcrypto's generator, or the system's if that fails.
  @Sendable static func next() -> String {
    if let words = RandomWords.draw(2) { return Hexadecimal.encode(words[0], words[1]) }
    var generator = SystemRandomNumberGenerator()
    return Hexadecimal.encode(generator.next(), generator.next())
  }
}
