public import Interception
public import NonceStores

/// A rule that every store of nonces follows.
///
/// A test runs each case on a store whose nonces are complete since
/// long before ``now``.
public enum NonceStoreCase: String, Sendable, CaseIterable {
  case newNonceIsClaimed = "A new nonce is claimed"
  case claimedNonceIsKnown = "A claimed nonce is known until it expires"
  case keysAreIndependent = "Nonces of different keys are independent"
  case noncesAreIndependent = "Nonces that differ in any bit are independent"
  case sharedByHandles = "Another handle of the same store knows the nonce"
  case concurrentClaims = "Of concurrent claims by two handles exactly one is claimed"
  case unusualKeyIDs = "Key ids with separators are distinct"
  case manyNonces = "A thousand nonces are remembered"

  /// The time of the claims.
  public static let now = WallTime.now()

  /// A time before any claim could have been accepted.
  public static let past = now.advanced(by: .seconds(-3_600))

  /// Returns a claim of a request that is signed now and valid for five minutes.
  public static func claim(
    _ low: UInt64, high: UInt64 = 7, key: String = "app-1", now: WallTime = now,
    window: Duration = .seconds(300)
  ) -> NonceClaim {
    NonceClaim(
      keyID: key, nonce: Nonce(high: high, low: low), now: now,
      earliestUse: now.advanced(by: .zero - window), expiry: now.advanced(by: window * 2))
  }

  /// Returns what violates the rule; empty if the store follows it.
  ///
  /// - Parameters:
  ///   - first: A store without these nonces.
  ///   - second: Another handle of the same store, as another server of the fleet has it.
  public func violations(first: some NonceStore, second: some NonceStore) async -> [String] {
    var violations = NonceStoreViolations(rule: rawValue)
    switch self {
    case .newNonceIsClaimed:
      violations.expect(.claimed, await first.claim(Self.claim(1)))
    case .claimedNonceIsKnown:
      let claim = Self.claim(1)
      violations.expect(.claimed, await first.claim(claim))
      // The same request, received again: its times follow from its signature.
      for seconds in [0, 1, 299, 599] as [Int64] {
        let repeated = NonceClaim(
          keyID: claim.keyID, nonce: claim.nonce, now: Self.now.advanced(by: .seconds(seconds)),
          earliestUse: claim.earliestUse, expiry: claim.expiry)
        violations.expect(.known, await first.claim(repeated))
      }
    case .keysAreIndependent:
      for key in ["a", "b", "A"] { violations.expect(.claimed, await first.claim(Self.claim(1, key: key))) }
      for key in ["a", "b", "A"] { violations.expect(.known, await first.claim(Self.claim(1, key: key))) }
    case .noncesAreIndependent:
      for bit in 0..<64 as Range<UInt64> {
        violations.expect(.claimed, await first.claim(Self.claim(1 << bit, high: 0)))
        violations.expect(.claimed, await first.claim(Self.claim(0, high: 1 << bit)))
      }
    case .sharedByHandles:
      violations.expect(.claimed, await first.claim(Self.claim(1)))
      violations.expect(.known, await second.claim(Self.claim(1)))
      violations.expect(.claimed, await second.claim(Self.claim(2)))
      violations.expect(.known, await first.claim(Self.claim(2)))
    case .concurrentClaims:
      for low in 0..<20 as Range<UInt64> {
        let count = await Self.claimedCount(of: Self.claim(low), first, second)
        violations.expect(1, count)
      }
    case .unusualKeyIDs:
      let ids = [
        "a", "a:", ":a", "a:b", "*", "$1", "'", "\"", "\\", "{a}", String(repeating: "k", count: 128),
      ]
      for id in ids { violations.expect(.claimed, await first.claim(Self.claim(1, key: id))) }
      for id in ids { violations.expect(.known, await second.claim(Self.claim(1, key: id))) }
    case .manyNonces:
      let claimed = await Self.verdicts(of: 0..<1_000, first)
      violations.expect(1_000, claimed.count { $0 == .claimed })
      let known = await Self.verdicts(of: 0..<1_000, second)
      violations.expect(1_000, known.count { $0 == .known })
    }
    return violations.sentences
  }

  private static func claimedCount(
    of claim: NonceClaim, _ first: some NonceStore, _ second: some NonceStore
  ) async -> Int {
    await withTaskGroup(of: NonceVerdict.self) { group in
      for _ in 0..<4 {
        group.addTask { await first.claim(claim) }
        group.addTask { await second.claim(claim) }
      }
      return await group.reduce(into: 0) { $0 += $1 == .claimed ? 1 : 0 }
    }
  }

  private static func verdicts(of range: Range<UInt64>, _ store: some NonceStore) async -> [NonceVerdict] {
    await withTaskGroup(of: NonceVerdict.self) { group in
      for low in range { group.addTask { await store.claim(claim(low)) } }
      return await group.reduce(into: []) { $0.append($1) }
    }
  }
}
