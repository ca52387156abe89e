#if SQLite
import GRDB
public import NonceStores
import Synchronization

/// Keeps nonces in an SQLite file, which the processes of one user on one machine share.
///
/// Nonces survive the end of a process. Each claim is written to the disk before it is accepted; claims that
/// wait at the same time share one transaction. The file must be on a local disk, and must not be replaced by
/// an older copy.
///
/// If the file is locked for too long, full, damaged or was replaced, each claim fails with a
/// `NonceStoreError`, and `SharedSignatureVerifier` applies the chosen policy. A new file has no complete
/// nonces for up to two windows.
///
/// ```swift
/// let nonces = try SQLiteNonceStore(path: "/var/lib/estate/nonces.sqlite")
/// let verifier = SharedSignatureVerifier(
///   SignatureVerifier(keys: SigningKeys(key)), nonces: nonces,
///   ifUnavailable: .failClosed, ifForgotten: .failOpen
/// ) { error, policy in print("nonces: \(error) \(policy)") }
/// ```
public final class SQLiteNonceStore: NonceStore {
  private struct Entry: Sendable {
    let claim: NonceClaim
    let continuation: CheckedContinuation<NonceVerdict, Never>
  }

  private let file: NonceFile
  private let maximumWaitingClaims: Int
  private let waiting = Mutex<[Entry]>([])

  /// Opens a file, and creates it if it doesn't exist; this blocks the calling thread.
  ///
  /// - Parameters:
  ///   - path: The file, which only its owner can read; SQLite creates two more beside it. A file of another
  ///     user, a symbolic link and a file with several names are refused.
  ///   - maximumBytes: The maximum size of the file, 1 GiB by default, which is about 7 million nonces.
  ///   - lockTimeout: The time limit for other processes to release the file, 1 second by default.
  ///   - maximumWaitingClaims: The maximum number of claims that wait for the disk, 10,000 by default.
  /// - Throws: `NonceStoreError`.
  public init(
    path: String, maximumBytes: Int = 1 << 30, lockTimeout: Duration = .seconds(1),
    maximumWaitingClaims: Int = 10_000
  ) throws(NonceStoreError) {
    file = try NonceFile(path: path, maximumBytes: maximumBytes, lockTimeout: lockTimeout)
    self.maximumWaitingClaims = max(maximumWaitingClaims, 1)
  }

  /// Claims a nonce in the file, on the thread of its connection.
  ///
  /// Cancelling the task has no effect.
  public func claim(_ claim: NonceClaim) async -> NonceVerdict {
    await withCheckedContinuation { continuation in
      let count = waiting.withLock { waiting -> Int? in
        guard waiting.count < maximumWaitingClaims else { return nil }
        waiting.append(Entry(claim: claim, continuation: continuation))
        return waiting.count
      }
      switch count {
      case nil:
        continuation.resume(
          returning: .unavailable(
            NonceStoreError(
              .overloaded,
              "\(maximumWaitingClaims) claims already wait for \(file.name); check the load of the disk.")))
      // Later claims wait for the transaction that this one begins.
      case 1: file.schedule { [self] database in handleAll(in: database) }
      default: break
      }
    }
  }

  private func handleAll(in database: Database) {
    let entries = waiting.withLock { waiting in
      defer { waiting = [] }
      return waiting
    }
    let verdicts: [NonceVerdict]
    do throws(NonceStoreError) {
      verdicts = try file.record(entries.map(\.claim), in: database)
    } catch {
      verdicts = entries.map { _ in .unavailable(error) }
    }
    for (entry, verdict) in zip(entries, verdicts) { entry.continuation.resume(returning: verdict) }
  }
}
#else
// What the compiler says without the trait, instead of "cannot find in scope".

/// Needs the trait SQLite.
@available(
  *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
)
public struct SQLiteNonceStore: Sendable {
  /// Needs the trait SQLite.
  public init(path: String) {}
}
#endif
