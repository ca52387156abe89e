import Interception
import RequestSigning
import ValkeyStores

/// Claims nonces on a Redis, one after another.
public struct NonceLoad: Sendable {
  private let store: ValkeyNonceStore
  private let run = UInt64.random(in: .min ... .max)

  /// Creates a store on a server of this machine.
  public init(port: Int) {
    store = ValkeyNonceStore(ValkeyConfiguration(host: "127.0.0.1", port: port))
  }

  /// Claims `count` nonces from number `first` on; throws if one can't be claimed.
  @concurrent public func claim(_ count: Int, from first: Int) async throws {
    let now = WallTime.now()
    for number in first..<(first + count) {
      let claim = NonceClaim(
        keyID: "benchmark", nonce: Nonce(high: run, low: UInt64(number)), now: now,
        earliestUse: now.advanced(by: .seconds(-300)), expiry: now.advanced(by: .seconds(600)))
      switch await store.claim(claim) {
      case .claimed: break
      // A new server can't know of claims before it, but it has stored the nonce.
      case .unavailable(let error) where error.isForgotten: break
      case .known, .unavailable: throw UnclaimedNonce(number: number)
      }
    }
  }
}

/// A nonce that the store did not accept.
private struct UnclaimedNonce: Error {
  let number: Int
}
