import COpenSSL
import Synchronization

/// Random nonces, generated in blocks.
final class NonceBlock: Sendable {
  private static let wordCount = 128
  private let words = Mutex<[UInt64]>([])

  /// Returns a new nonce.
  func next() -> Nonce {
    words.withLock { words in
      if words.isEmpty { words = Self.drawn() }
      // If libcrypto's generator fails, the system's generator is used.
      guard let high = words.popLast(), let low = words.popLast() else { return Nonce.random() }
      return Nonce(high: high, low: low)
    }
  }

  private static func drawn() -> [UInt64] {
    var words = [UInt64](repeating: 0, count: wordCount)
    let isDone = words.withUnsafeMutableBytes { buffer in
      RAND_bytes(buffer.bindMemory(to: UInt8.self).baseAddress, Int32(buffer.count)) == 1
    }
    return isDone ? words : []
  }
}
