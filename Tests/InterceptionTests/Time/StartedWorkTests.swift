import Interception
import Testing

@Suite("StartedWork") struct StartedWorkTests {
  private static func begin(_ work: inout StartedWork<String>) throws -> UInt64 {
    let number = work.begin()
    return try #require(number)
  }

  @Test("A second start has no effect until the first one was ended or has failed")
  func once() throws {
    var work = StartedWork<String>()
    let first = try Self.begin(&work)
    #expect(work.begin() == nil)
    work.fail(first)
    let second = try Self.begin(&work)
    #expect(work.install("second", of: second) == true)
    #expect(work.begin() == nil)
    let ended = work.end()
    #expect(ended?.number == second && ended?.work == "second")
    #expect(work.end() == nil)
    #expect(work.begin() != nil)
  }

  @Test("A start that was ended while it was under way stores no work, with and without a later start")
  func endedMeanwhile() throws {
    var work = StartedWork<String>()
    let first = try Self.begin(&work)
    #expect(work.end()?.work == nil)
    #expect(!work.isCurrent(first))
    #expect(work.install("first", of: first) == false)
    let second = try Self.begin(&work)
    #expect(work.install("first", of: first) == false)
    #expect(work.install("second", of: second) == true)
    #expect(work.install("first", of: first) == false)
    #expect(work.end()?.work == "second")
  }

  @Test("The failure of a start that is no longer in force doesn't end the later one")
  func lateFailure() throws {
    var work = StartedWork<String>()
    let first = try Self.begin(&work)
    _ = work.end()
    let second = try Self.begin(&work)
    work.fail(first)
    #expect(work.isCurrent(second))
    #expect(work.begin() == nil)
  }
}
