import Cryptography
import Synchronization

/// Random nonces for signatures, drawn from libcrypto's generator in blocks.
public enum RandomNonces {
  /// Returns a source of nonces of 128 random bits, as 32 hexadecimal digits.
  ///
  /// The source can be called from any thread, but not across a `fork` without `exec`: create a new one in
  /// the child process.
  public static func drawing() -> @Sendable () -> String {
    let block = Block()
    return {
      let (high, low) = block.next()
      return Hexadecimal.encode(high, low)
    }
  }

  private final class Block: Sendable {
    private static let wordCount = 128
    private let words = Mutex<[UInt64]>([])

    func next() -> (UInt64, UInt64) {
      words.withLock { words in
        if words.isEmpty { words = RandomWords.draw(Self.wordCount) ?? [] }
        if let high = words.popLast(), let low = words.popLast() { return (high, low) }
        // If libcrypto's generator fails, the system's generator is used.
        var generator = SystemRandomNumberGenerator()
        return (generator.next(), generator.next())
      }
    }
  }
}
