import Interception
import NonceStoreConformance
import NonceStores
import Testing

@Suite struct MemoryNonceStoreTests {
  private func kind(_ verdict: NonceVerdict) -> NonceStoreError.Kind? {
    guard case .unavailable(let error) = verdict else { return nil }
    return error.kind
  }

  @Test("H11: The store conforms to the rules of nonce stores", arguments: NonceStoreCase.allCases)
  func conformance(_ rule: NonceStoreCase) async {
    let store = MemoryNonceStore(start: NonceStoreCase.past)
    #expect(await rule.violations(first: store, second: store) == [])
  }

  @Test("Expired nonces are dropped, and a clock that is set back doesn't admit them again")
  func expiry() async {
    let store = MemoryNonceStore(start: NonceStoreCase.past)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .claimed)
    let later = NonceStoreCase.now.advanced(by: .seconds(601))
    #expect(await store.claim(NonceStoreCase.claim(2, now: later)) == .claimed)
    #expect(store.count == 1)
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .forgotten)
  }

  @Test("At capacity no nonce is claimed, and no nonce is forgotten")
  func capacity() async {
    let store = MemoryNonceStore(capacity: 2, start: NonceStoreCase.past)
    for low in 1...2 as ClosedRange<UInt64> {
      #expect(await store.claim(NonceStoreCase.claim(low)) == .claimed)
    }
    #expect(kind(await store.claim(NonceStoreCase.claim(3))) == .full)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
  }

  @Test("A request that could have been accepted before the start is recorded, but not claimed")
  func start() async {
    let store = MemoryNonceStore(start: NonceStoreCase.now)
    #expect(kind(await store.claim(NonceStoreCase.claim(1))) == .forgotten)
    #expect(await store.claim(NonceStoreCase.claim(1)) == .known)
    let later = NonceStoreCase.now.advanced(by: .seconds(300))
    #expect(await store.claim(NonceStoreCase.claim(2, now: later)) == .claimed)
  }

  @Test("I8: A store knows when it was created, and claims no nonce that another one may have claimed before")
  func restart() async {
    let window = Duration.seconds(300)
    let claim = NonceStoreCase.claim(1, now: .now(), window: window)
    #expect(kind(await MemoryNonceStore().claim(claim)) == .forgotten)
    let later = WallTime.now().advanced(by: window * 2)
    #expect(await MemoryNonceStore().claim(NonceStoreCase.claim(1, now: later, window: window)) == .claimed)
  }
}
