import Interception
import Testing

@testable import ResponseCaching

@Suite struct RemovalLogTests {
  @Test("However many other removals follow, a key isn't cleared by them, up to a bound of the memory")
  func others() throws {
    let key = try #require(CacheKey(.houses(partition: "ada"), leavingOut: .standard))
    var log = RemovalLog()
    let start = log.mark
    for number in 0..<RemovalLog.capacity / 2 { log.note(.partition("account \(number)")) }
    #expect(!log.hasCleared(key, tags: ["houses"], since: start))
    log.note(.tags(["flats", "houses"]))
    let later = log.mark
    for number in 0..<RemovalLog.capacity / 4 { log.note(.api(APIIdentity(service: "s", name: "\(number)"))) }
    #expect(log.hasCleared(key, tags: ["houses"], since: start))
    #expect(!log.hasCleared(key, tags: ["houses"], since: later))
    // Repeated removals take no room.
    for _ in 0..<RemovalLog.capacity * 2 { log.note(.partition("bob")) }
    #expect(!log.hasCleared(key, tags: ["houses"], since: later))
    for number in 0..<RemovalLog.capacity * 3 { log.note(.partition("\(number)")) }
    #expect(log.count <= RemovalLog.capacity)
    // Too long ago to tell.
    #expect(log.hasCleared(key, tags: [], since: later))
  }

  @Test("The replacement of a response doesn't concern the next one, and a removal before or after it does")
  func replacement() throws {
    let key = try #require(CacheKey(.houses(partition: "ada"), leavingOut: .standard))
    var log = RemovalLog()
    let first = log.mark
    let next = log.noteReplacement(of: key, tags: [], since: first)
    #expect(log.hasCleared(key, tags: [], since: first) && !log.hasCleared(key, tags: [], since: next))
    log.note(.partition("ada"))
    #expect(log.hasCleared(key, tags: [], since: next))
    // The request began before the removal of its partition, or of a tag.
    #expect(log.hasCleared(key, tags: [], since: log.noteReplacement(of: key, tags: [], since: next)))
    let later = log.mark
    log.note(.tags(["houses"]))
    let late = log.noteReplacement(of: key, tags: ["houses"], since: later)
    #expect(log.hasCleared(key, tags: ["houses"], since: late))
  }

  @Test("A key is cleared since a mark if a later removal selects it")
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
    for selection in [
      CacheSelection.all, .target(key.subject.target), .subject(key.subject), .key(key),
    ] {
      let former = log.mark
      log.note(selection)
      #expect(log.hasCleared(key, tags: [], since: former), "\(selection)")
    }
  }
}
