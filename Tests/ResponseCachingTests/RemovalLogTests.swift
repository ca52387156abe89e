import Interception
import Testing

@testable import ResponseCaching

@Suite struct RemovalLogTests {
  @Test("A key is cleared since a mark if a later removal selects it, or if there were too many")
  func marks() throws {
    let key = try #require(CacheKey(.houses(partition: "ada"), leavingOut: .standard))
    var log = RemovalLog()
    let start = log.mark
    #expect(!log.hasCleared(key, tags: [], since: start))
    log.note(.partition("bob"))
    #expect(!log.hasCleared(key, tags: [], since: start))
    log.note(.tags(["houses"]))
    #expect(!log.hasCleared(key, tags: ["flats"], since: start))
    #expect(log.hasCleared(key, tags: ["flats", "houses"], since: start))
    log.note(.partition("ada"))
    #expect(log.hasCleared(key, tags: [], since: start))
    let later = log.mark
    #expect(!log.hasCleared(key, tags: [], since: later))
    for _ in 0..<64 { log.note(.partition("bob")) }
    #expect(!log.hasCleared(key, tags: [], since: later))
    log.note(.partition("bob"))
    #expect(log.hasCleared(key, tags: [], since: later))
  }
}
