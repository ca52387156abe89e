import Cryptography
public import Interception
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

/// A nonce that a server is about to accept, and the times between which it could be accepted.
public struct NonceClaim: Sendable, Hashable {
  /// The id of the key that signed the request; nonces of different keys are independent.
  public let keyID: String
  /// The nonce.
  public let nonce: Nonce
  /// The server's time.
  public let now: WallTime
  /// The earliest time at which a server accepts the request.
  ///
  /// A store that has lost its nonces since then can't tell whether this one was claimed before.
  public let earliestUse: WallTime
  /// The time until which the store remembers the nonce.
  public let expiry: WallTime

  /// Creates a claim.
  public init(keyID: String, nonce: Nonce, now: WallTime, earliestUse: WallTime, expiry: WallTime) {
    self.keyID = keyID
    self.nonce = nonce
    self.now = now
    self.earliestUse = earliestUse
    self.expiry = expiry
  }
}

extension NonceClaim {
  /// Creates the claim of a message that is accepted from `lead` before its time until `validity` after it.
  ///
  /// The nonce is remembered for that time once more, so that a server whose clock is slow by less can't
  /// accept the message after it was forgotten.
  package init(
    keyID: String, nonce: Nonce, signedAt time: WallTime, lead: Duration, validity: Duration, now: WallTime
  ) {
    self.init(
      keyID: keyID, nonce: nonce, now: now, earliestUse: time.advanced(by: .zero - lead),
      expiry: time.advanced(by: validity * 2))
  }
}

/// The result of claiming a nonce.
public enum NonceVerdict: Sendable, Hashable {
  /// The nonce is new, and is remembered from now on.
  case claimed
  /// The nonce was claimed before.
  case known
  /// The store can't tell whether the nonce was claimed before.
  case unavailable(NonceStoreError)
}

/// The reason why a store can't tell whether a nonce was claimed before.
public struct NonceStoreError: Error, LoggableError, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong with the store.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The store can't be reached or opened.
    case unreachable
    /// The store did not respond in time. It may have recorded the nonce.
    case timedOut
    /// The store has no space for another nonce.
    case full
    /// More claims wait for the store than it allows.
    case overloaded
    /// The store refuses the command, the credentials or the access.
    case refused
    /// The store is configured so that it may drop nonces before they expire.
    case unsuitable
    /// The store lost its nonces, or was created, after the request could have been accepted.
    ///
    /// It has recorded the nonce, and remembers all nonces again one window later.
    case forgotten
    /// The store's response is not one of its protocol.
    case malformed
  }

  /// What is wrong with the store.
  public let kind: Kind
  /// The fault, the store and the remedy, without any credential.
  public let description: String

  /// Creates an error; the description must not contain credentials.
  public init(_ kind: Kind, _ description: String) {
    self.kind = kind
    self.description = description
  }
}

/// A unique number of 128 bits for one signature.
public struct Nonce: Sendable, Hashable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  /// Creates a nonce from its two halves.
  public init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// Parses 32 lower-case hexadecimal digits; nil for anything else.
  public init?(_ text: String) {
    guard let bytes = Hexadecimal.decode(text, count: 16) else { return nil }
    high = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    low = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Returns a nonce from the system's random number generator.
  public static func random() -> Nonce {
    var generator = SystemRandomNumberGenerator()
    return Nonce(high: generator.next(), low: generator.next())
  }

  /// Returns a source of random nonces, which fetches them from the cryptographic library's generator
  /// 64 at a time.
  ///
  /// A system call per nonce would cost more than the remaining hashing of a short signature. The source can
  /// be called from any thread, but not across a `fork` without `exec`: create a new one in the child
  /// process.
  public static func drawing() -> @Sendable () -> Nonce {
    let block = NonceBlock()
    return { block.next() }
  }

  /// The 32 lower-case hexadecimal digits.
  public var description: String { Hexadecimal.encode(high, low) }
}

/// Random nonces, generated in blocks.
private final class NonceBlock: Sendable {
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
