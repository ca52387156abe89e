public import Interception
public import NonceStores

/// Keeps nonces on a Valkey or Redis server, which the servers of a fleet share.
///
/// Each nonce is a key that is set if it doesn't exist (`SET` with `NX`) and expires by itself (`PX`). Claims
/// that wait at the same time are sent together. One connection and one thread are used, since hiredis
/// blocks; they are opened with the first claim and closed when the store is released.
///
/// If the server can't be reached, is slow, full or refuses the credentials, each claim fails with a
/// `NonceStoreError` and `SharedSignatureVerifier` applies the chosen policy; the store connects again with
/// a growing delay. It also notices that the server lost its nonces: each start of a server has a run id,
/// which is stored beside the nonces together with the time. Therefore a server that was restarted, emptied
/// or replaced by a replica has no complete nonces for two windows, also if it has read them from disk. A
/// server with a limited memory must have the policy `noeviction`.
///
/// The server's user needs the commands `SET`, `GET` and `INFO`, and `SELECT` for a database other than 0.
///
/// ```swift
/// let nonces = ValkeyNonceStore(ValkeyConfiguration(host: "10.0.0.7", password: password))
/// let verifier = SharedSignatureVerifier(
///   SignatureVerifier(keys: SigningKeys(key)), nonces: nonces,
///   ifUnavailable: .failClosed, ifForgotten: .failOpen
/// ) { error, policy in print("nonces: \(error) \(policy)") }
/// ```
public final class ValkeyNonceStore: NonceStore {
  private let calls: ServerCalls<ClaimHandler>

  /// Creates a store, which connects with the first claim.
  ///
  /// - Parameter time: The clock for the delays between attempts to connect.
  public convenience init(_ configuration: ValkeyConfiguration, time: TimeSource = .system) {
    self.init(configuration, time: time, random: { UInt64.random(in: .min ... .max) })
  }

  init(_ configuration: ValkeyConfiguration, time: TimeSource, random: @escaping @Sendable () -> UInt64) {
    calls = ServerCalls(
      ClaimHandler(keyPrefix: configuration.keyPrefix, random: random), of: "nonce store", configuration,
      fault: ServerFault(server: "The nonce store at \(configuration)"), time: time, random: random)
  }

  /// Claims a nonce on the server.
  ///
  /// It returns within the time limits of the configuration, apart from the time for resolving the host's
  /// name. Cancelling the task has no effect.
  public func claim(_ claim: NonceClaim) async -> NonceVerdict {
    switch await calls.result(of: claim, by: calls.deadline) {
    case .success(let verdict): verdict
    case .failure(let error): .unavailable(error)
    }
  }
}
