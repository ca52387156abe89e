import Interception
import Testing

@Suite("StartedWork") struct StartedWorkTests {
  @Test("A second start has no effect until the first one was ended or has failed")
  func once() throws {
    var work = StartedWork<String>()
    let first = try #require(work.begin())
    #expect(work.begin() == nil)
    work.fail(first)
    let second = try #require(work.begin())
    #expect(work.install("second", of: second) && work.begin() == nil)
    let ended = try #require(work.end())
    #expect(ended.number == second && ended.work == "second")
    #expect(work.end() == nil && work.begin() != nil)
  }

  @Test("A start that was ended while it was under way stores no work, with and without a later start")
  func endedMeanwhile() throws {
    var work = StartedWork<String>()
    let first = try #require(work.begin())
    #expect(work.end()?.work == nil)
    #expect(!work.isCurrent(first) && !work.install("first", of: first))
    let second = try #require(work.begin())
    #expect(!work.install("first", of: first))
    #expect(work.install("second", of: second))
    #expect(!work.install("first", of: first))
    #expect(work.end()?.work == "second")
  }

  @Test("The failure of a start that is no longer in force doesn't end the later one")
  func lateFailure() throws {
    var work = StartedWork<String>()
    let first = try #require(work.begin())
    _ = work.end()
    let second = try #require(work.begin())
    work.fail(first)
    #expect(work.isCurrent(second) && work.begin() == nil)
  }
}
