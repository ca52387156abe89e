import HTTPTypes
import Interception
import NonceStores
import Synchronization
import Testing

@testable import MessageSignatures

@Suite struct SharedMessageVerifierTests {
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

  private let clock = WallClock()
  private let key: MessageKey
  private let reports = Reports()

  init() throws { key = try SignedMessage.key() }

  private func verifier(
    _ store: some NonceStore, unavailable: NonceStorePolicy = .failClosed,
    forgotten: NonceStorePolicy = .failClosed
  ) -> SharedMessageVerifier {
    SharedMessageVerifier(
      MessageVerifier(keys: MessageKeys(key), time: clock.time), nonces: store, ifUnavailable: unavailable,
      ifForgotten: forgotten
    ) { [reports] _, policy in reports.entries.withLock { $0.append(policy) } }
  }

  private func outcome(
    _ verifier: SharedMessageVerifier, _ signed: SignedMessage
  ) async -> MessageSignatureError? {
    do throws(MessageSignatureError) {
      try await verifier.verify(signed.message)
      return nil
    } catch { return error }
  }

  @Test("I8: Every server of a fleet refuses a replay, and so does one whose store is new after a restart")
  func fleet() async throws {
    let store = MemoryNonceStore(start: SignedMessage.now.advanced(by: .seconds(-31)))
    let (first, second) = (verifier(store), verifier(store))
    let signed = try SignedMessage(key: key)
    #expect(await outcome(first, signed) == nil)
    #expect(await outcome(second, signed) == MessageSignatureError(.replayedNonce))
    clock.advance(by: 10)
    let restarted = verifier(MemoryNonceStore(start: clock.time.wallTime()))
    guard case .unavailableNonces(let error) = await outcome(restarted, signed)?.reason else {
      Issue.record("A replay was accepted after a restart.")
      return
    }
    #expect(error.kind == .forgotten)
    #expect(MessageSignatureError(.unavailableNonces(error)).status == .serviceUnavailable)
    // Clocks may differ by 30 seconds, so a request of that time can't have been accepted before.
    clock.advance(by: 30)
    let later = try SignedMessage(key: key, at: clock.time.wallTime(), nonce: "later")
    #expect(await outcome(restarted, later) == nil)
    #expect(await outcome(restarted, later) == MessageSignatureError(.replayedNonce))
    #expect(reports.entries.withLock { $0 } == [.failClosed])
  }

  @Test("A claim has the times between which the message could be accepted, and once more that time")
  func claim() async throws {
    let store = FixedStore(.claimed)
    #expect(await outcome(verifier(store), try SignedMessage(key: key)) == nil)
    let claims = store.claims.withLock { $0 }
    #expect(
      claims == [
        NonceClaim(
          keyID: "app-1", nonce: try Nonce(hashing: "n0"), now: SignedMessage.now,
          earliestUse: SignedMessage.now.advanced(by: .seconds(-30)),
          expiry: SignedMessage.now.advanced(by: .seconds(660)))
      ])
    // SHA-256 of "n0", computed by another implementation: the fleet's machines must agree.
    #expect(claims.first?.nonce.description == "820d5d8baf762ec66dcd56fed15c78bf")
  }

  @Test(
    "H11: Each fault of a store is reported, and decided by the policy for its kind",
    arguments: NonceStoreError.Kind.allCases)
  func policies(_ kind: NonceStoreError.Kind) async throws {
    let (signed, isForgotten) = (try SignedMessage(key: key), kind == .forgotten)
    let error = NonceStoreError(kind, "The store is gone; start it.")
    let store = FixedStore(.unavailable(error))
    let accepting = verifier(
      store, unavailable: isForgotten ? .failClosed : .failOpen,
      forgotten: isForgotten ? .failOpen : .failClosed)
    #expect(await outcome(accepting, signed) == nil)
    let refusing = verifier(
      store, unavailable: isForgotten ? .failOpen : .failClosed,
      forgotten: isForgotten ? .failClosed : .failOpen)
    let refusal = await outcome(refusing, signed)
    #expect(refusal == MessageSignatureError(.unavailableNonces(error)))
    #expect(refusal?.description.contains("start it") == true)
    #expect(reports.entries.withLock { $0 } == [.failOpen, .failClosed])
  }

  @Test("An invalid signature is refused before the store is used")
  func invalid() async throws {
    let store = FixedStore(.claimed)
    var signed = try SignedMessage(key: key)
    signed.head.path = "/"
    #expect(await outcome(verifier(store), signed) == MessageSignatureError(.mismatch))
    #expect(store.claims.withLock { $0.isEmpty })
  }
}
