import Testing

@testable import Inspection

@Suite struct PendingCallsTests {
  @Test("The first call asks for a write, and the further ones wait for it")
  func additions() {
    var pending = PendingCalls<Int>(countLimit: 10, byteLimit: 100)
    #expect(pending.add(1, byteCount: 10) == .first)
    #expect(pending.add(2, byteCount: 10) == .further)
    #expect(pending.takeAll() == [1, 2])
    #expect(pending.add(3, byteCount: 10) == .first)
    #expect(pending.droppedCount == 0)
  }

  @Test("Calls beyond the number or the bytes are dropped and counted")
  func limits() {
    var byCount = PendingCalls<Int>(countLimit: 2, byteLimit: 100)
    #expect((1...4).map { byCount.add($0, byteCount: 1) } == [.first, .further, .dropped, .dropped])
    #expect(byCount.droppedCount == 2)
    var byBytes = PendingCalls<Int>(countLimit: 10, byteLimit: 100)
    #expect((1...3).map { byBytes.add($0, byteCount: 40) } == [.first, .further, .dropped])
    #expect(byBytes.takeAll() == [1, 2])
    #expect(byBytes.add(4, byteCount: 40) == .first)
  }

  @Test("A single call waits, whatever it takes")
  func largeCall() {
    var pending = PendingCalls<Int>(countLimit: 2, byteLimit: 100)
    #expect(pending.add(1, byteCount: 1_000) == .first)
    #expect(pending.add(2, byteCount: 1) == .dropped)
  }

  @Test("Once it is closed, each call is dropped and counted")
  func closed() {
    var pending = PendingCalls<Int>(countLimit: 2, byteLimit: 100)
    pending.close()
    #expect(pending.add(1, byteCount: 1) == .dropped)
    pending.noteDropped(3)
    #expect(pending.droppedCount == 4)
  }
}
