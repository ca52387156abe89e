import Interception
import NonceStoreConformance
import RequestSigning
import Testing

@testable import ValkeyStores

@Suite struct ClaimBatchTests {
  private static let now = WallTime(secondsSince1970: 1_700_000_000)
  private static let fault = ServerFault(server: "server")
  private static let marker = RESPReply.bytes(Array("0a 1600000000".utf8))

  private static func batch(_ count: UInt64, isRepeated: Bool = false) -> ClaimBatch {
    var batch = ClaimBatch(
      claims: (0..<count).map { (NonceStoreCase.claim($0, now: now), "t\($0)") }, keyPrefix: "p:")
    batch.isRepeated = isRepeated
    return batch
  }

  @Test("A claim sets a key if it doesn't exist, for the time until its expiry, and then reads the marker")
  func commands() {
    let words = String(decoding: Self.batch(1).commands.bytes, as: UTF8.self)
      .split(separator: "\r\n").filter { !$0.hasPrefix("*") && !$0.hasPrefix("$") }
    #expect(
      words == [
        "SET", "p:app-1:00000000000000070000000000000000", "t0", "NX", "PX", "600001", "GET", "p:since",
      ])
    #expect(Self.batch(3).commands.count == 4)
    #expect(Self.batch(3, isRepeated: true).commands.count == 7)
  }

  @Test(
    "A key exists for at least a millisecond, and for a bounded time",
    arguments: [(-1, 1), (0, 1), (600, 600_001), (Int64.max / 4, 1_099_511_627_776_001)] as [(Int64, Int64)])
  func lifetime(_ seconds: Int64, _ milliseconds: Int64) {
    let claim = NonceClaim(
      keyID: "a", nonce: Nonce(high: 0, low: 0), now: Self.now, earliestUse: Self.now,
      expiry: WallTime(secondsSince1970: Self.now.seconds + seconds))
    #expect(ClaimBatch.lifetime(of: claim) == milliseconds)
  }

  @Test("Each reply decides one claim")
  func replies() throws {
    let replies: [RESPReply] = [
      .status("OK"), .null, .error("OOM command not allowed"), .unexpected, Self.marker,
    ]
    let results = try Self.batch(4).results(of: replies, by: Self.fault)
    #expect(
      results.verdicts == [
        .claimed, .known, .unavailable(Self.fault.error(for: "OOM")), .unavailable(Self.fault.malformed),
      ])
    #expect(results.marker == NonceMarker(runID: "0a", now: 1_599_999_999))
  }

  @Test("A claim that was sent twice and finds its own value has succeeded")
  func repeated() throws {
    let replies: [RESPReply] = [
      .status("OK"), .bytes(Array("t0".utf8)), .null, .bytes(Array("t1".utf8)), .null,
      .bytes(Array("t0".utf8)), .null, .null, Self.marker,
    ]
    let results = try Self.batch(4, isRepeated: true).results(of: replies, by: Self.fault)
    #expect(results.verdicts == [.claimed, .claimed, .known, .known])
  }

  @Test("A full server is asked whether it has the keys that it could not store")
  func fullServer() throws {
    let full = NonceVerdict.unavailable(Self.fault.error(for: "OOM"))
    let verdicts = [full, .claimed, full, .known, full]
    let lookUps = Self.batch(5).lookUps(after: verdicts)
    #expect(lookUps.count == 3)
    #expect(Self.batch(5).lookUps(after: [.claimed, .known]).count == 0)
    #expect(
      ClaimBatch.completed(verdicts, with: [.null, .bytes([1]), .error("ERR")])
        == [full, .claimed, .known, .known, full])
  }

  @Test("Without a readable marker no claim is decided")
  func marker() throws {
    #expect(try Self.batch(1).results(of: [.status("OK"), .null], by: Self.fault).marker == nil)
    let text = RESPReply.bytes(Array("x".utf8))
    #expect(try Self.batch(1).results(of: [.status("OK"), text], by: Self.fault).marker == nil)
    for reply in [RESPReply.error("NOPERM"), .unexpected, .status("OK")] {
      #expect(throws: NonceStoreError.self) {
        try Self.batch(1).results(of: [.status("OK"), reply], by: Self.fault)
      }
    }
    #expect(throws: Self.fault.malformed) { try Self.batch(1).results(of: [Self.marker], by: Self.fault) }
  }

  @Test(
    "A new nonce counts only if the nonces are complete since the request could first have been accepted",
    arguments: [(-300, true), (-301, true), (-299, false), (1, false)] as [(Int64, Bool)])
  func completeness(_ offset: Int64, _ isComplete: Bool) {
    let claim = NonceStoreCase.claim(1, now: Self.now)
    let since = Self.now.seconds + offset
    #expect(
      ClaimBatch.verdict(.claimed, of: claim, since: since, by: Self.fault)
        == (isComplete ? .claimed : .unavailable(Self.fault.forgotten)))
    #expect(ClaimBatch.verdict(.known, of: claim, since: since, by: Self.fault) == .known)
  }
}
