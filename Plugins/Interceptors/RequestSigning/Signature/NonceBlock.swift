import Cryptography
import Synchronization

/// Random nonces, generated in blocks.
final class NonceBlock: Sendable {
  private static let wordCount = 128
  private let words = Mutex<[UInt64]>([])

  /// Returns a new nonce.
  func next() -> Nonce {
    words.withLock { words in
      if words.isEmpty { words = RandomWords.draw(Self.wordCount) ?? [] }
      // If libcrypto's generator fails, the system's generator is used.
      guard let high = words.popLast(), let low = words.popLast() else { return Nonce.random() }
      return Nonce(high: high, low: low)
    }
  }
}
