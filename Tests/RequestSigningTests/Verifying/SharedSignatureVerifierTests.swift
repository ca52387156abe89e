import HTTPTypes
import Interception
import Synchronization
import Testing

@testable import RequestSigning

@Suite struct SharedSignatureVerifierTests {
  /// A store with a fixed verdict, which records the claims that it receives.
  private final class FixedStore: NonceStore {
    let verdict: NonceVerdict
    let claims = Mutex<[NonceClaim]>([])

    init(_ verdict: NonceVerdict) { self.verdict = verdict }

    func claim(_ claim: NonceClaim) async -> NonceVerdict {
      claims.withLock { $0.append(claim) }
      return verdict
    }
  }

  private final class Reports: Sendable {
    let entries = Mutex<[NonceStorePolicy]>([])
  }

  private let reports = Reports()

  private func outcome(
    of request: SignedRequest, _ store: some NonceStore, unavailable: NonceStorePolicy = .failClosed,
    forgotten: NonceStorePolicy = .failClosed
  ) async throws -> SignatureError? {
    let verifier = SharedSignatureVerifier(
      SignatureVerifier(keys: SigningKeys(try Signed.key()), time: WallClock().time), nonces: store,
      ifUnavailable: unavailable, ifForgotten: forgotten
    ) { [reports] _, policy in reports.entries.withLock { $0.append(policy) } }
    do throws(SignatureError) {
      try await verifier.verify(request)
      return nil
    } catch { return error }
  }

  @Test("A claim has the times between which the request could be accepted, and one window more")
  func claim() async throws {
    let store = FixedStore(.claimed)
    #expect(try await outcome(of: Signed(key: Signed.key()).request, store) == nil)
    #expect(
      store.claims.withLock { $0 } == [
        NonceClaim(
          keyID: "app-1", nonce: Nonce(high: 1, low: 1), now: Signed.now,
          earliestUse: Signed.now.advanced(by: .seconds(-300)), expiry: Signed.now.advanced(by: .seconds(600))
        )
      ])
    #expect(reports.entries.withLock { $0 } == [])
  }

  @Test("A known nonce is a replay, whatever the policies are")
  func known() async throws {
    let request = try Signed(key: Signed.key()).request
    #expect(
      try await outcome(of: request, FixedStore(.known), unavailable: .failOpen, forgotten: .failOpen)
        == .replayedNonce)
    #expect(reports.entries.withLock { $0 } == [])
  }

  @Test(
    "H11: Each fault of a store is reported, and decided by the policy for its kind",
    arguments: NonceStoreError.Kind.allCases)
  func policies(_ kind: NonceStoreError.Kind) async throws {
    let request = try Signed(key: Signed.key()).request
    let error = NonceStoreError(kind, "The store is gone; start it.")
    let store = FixedStore(.unavailable(error))
    let isForgotten = kind == .forgotten
    let accepted = try await outcome(
      of: request, store, unavailable: isForgotten ? .failClosed : .failOpen,
      forgotten: isForgotten ? .failOpen : .failClosed)
    #expect(accepted == nil)
    let refused = try await outcome(
      of: request, store, unavailable: isForgotten ? .failOpen : .failClosed,
      forgotten: isForgotten ? .failClosed : .failOpen)
    #expect(refused == .unavailableNonces(error))
    #expect(refused?.status == .serviceUnavailable)
    #expect(refused?.description.contains("start it") == true)
    #expect(reports.entries.withLock { $0 } == [.failOpen, .failClosed])
  }

  @Test("An invalid signature is refused before the store is used")
  func invalid() async throws {
    let store = FixedStore(.claimed)
    var signed = try Signed(key: Signed.key())
    signed.body.append(0)
    #expect(try await outcome(of: signed.request, store) == .mismatch)
    #expect(store.claims.withLock { $0.isEmpty })
  }
}
