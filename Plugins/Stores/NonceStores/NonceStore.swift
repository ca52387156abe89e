import Cryptography
import Interception
import Synchronization

/// Remembers the nonces of accepted requests, for all servers that share it.
///
/// ``MemoryNonceStore`` keeps them in the process. A fleet of servers behind a load balancer must share one
/// store, because a replay may reach another server: `ValkeyNonceStore` of the product `ValkeyStores` keeps
/// them in Valkey or Redis, and `SQLiteNonceStore` of the product `SQLiteStores` in a file, for the processes
/// of one machine.
///
/// A store must not lose nonces silently: if it can't tell whether a nonce was claimed before, because it was
/// restarted or evicts entries, it returns ``NonceVerdict/unavailable(_:)``. `SharedSignatureVerifier` of
/// RequestSigning and `SharedMessageVerifier` of MessageSignatures accept or refuse such a request, as the
/// server's author chose.
public protocol NonceStore: Sendable {
  /// Claims a nonce; of concurrent claims of the same nonce, by any server, only one is `claimed`.
  ///
  /// It returns within a bounded time, also if the store is not reachable.
  func claim(_ claim: NonceClaim) async -> NonceVerdict
}

/// Random nonces, generated in blocks.
final class NonceBlock: Sendable {
  private static let wordCount = 128
  private let words = Mutex<[UInt64]>([])

  /// Returns a new nonce.
  func next() -> Nonce {
    words.withLock { words in
      if words.isEmpty { words = RandomWords.draw(Self.wordCount) ?? [] }
      // If the library's generator fails, the system's is used.
      guard let high = words.popLast(), let low = words.popLast() else { return Nonce.random() }
      return Nonce(high: high, low: low)
    }
  }
}
