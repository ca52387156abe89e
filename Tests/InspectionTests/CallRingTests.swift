import HTTPTypes
import SwitchyardTesting
import Testing

@testable import Inspection
@testable import Interception

@Suite(.timeLimit(.minutes(5))) struct CallRingTests {
  @Test("The oldest calls make room, and the bytes stay below the limit")
  func eviction() {
    var ring = CallRing<Int>(byteLimit: 100)
    var evicted: [Int] = []
    for number in 0..<1_000 {
      evicted += ring.add(number, byteCount: 10).evicted
      #expect(ring.byteCount <= 100)
    }
    #expect(ring.calls == Array(990..<1_000))
    #expect(evicted == Array(0..<990))
    #expect(ring.evictedCount == 990)
  }

  @Test("A call that grows makes the oldest ones go, and one that has gone grows no more")
  func growth() {
    var ring = CallRing<String>(byteLimit: 100)
    let first = ring.add("a", byteCount: 40).position
    let second = ring.add("b", byteCount: 40).position
    var evicted = ring.grow(second, by: 50)
    #expect(evicted == ["a"])
    #expect(ring.byteCount == 90)
    evicted = ring.grow(first, by: 1_000)
    #expect(evicted.isEmpty)
    #expect(ring.byteCount == 90)
    #expect(ring.calls == ["b"])
  }

  @Test("The newest call stays even if it takes more than the limit")
  func large() {
    var ring = CallRing<Int>(byteLimit: 100)
    _ = ring.add(1, byteCount: 10)
    var evicted = ring.add(2, byteCount: 500).evicted
    #expect(evicted == [1])
    #expect(ring.calls == [2])
    evicted = ring.add(3, byteCount: 10).evicted
    #expect(evicted == [2])
  }

  @Test("After a removal of all calls, those that still run change nothing")
  func removal() {
    var ring = CallRing<Int>(byteLimit: 100)
    let position = ring.add(1, byteCount: 10).position
    let removed = ring.removeAll()
    #expect(removed == [1])
    let evicted = ring.grow(position, by: 50)
    #expect(evicted.isEmpty)
    #expect(ring.byteCount == 0)
    _ = ring.add(2, byteCount: 10)
    #expect(ring.calls == [2])
  }

  @Test("100,000 calls stay within the limit, and the last ones are kept")
  func manyCalls() async throws {
    let inspector = Inspector(app: "Test", byteLimit: 1 << 20)
    let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
    for _ in 0..<100_000 { _ = try await pipeline.dispatch(.example) }
    let usage = inspector.log.usage
    #expect(usage.bytes <= 1 << 20)
    let kept = inspector.records
    #expect(usage.evicted + kept.count == 100_000)
    #expect(kept.last?.id == 100_000)
    #expect(kept.count > 100)
  }

  @Test("A 50 MB body is cut, and neither its stream nor its bytes are kept")
  func largeBody() async throws {
    let inspector = Inspector(app: "Test")
    let response = Response(status: .ok, bytes: [UInt8](repeating: 7, count: 50 << 20))
    let pipeline = try Pipeline(over: ScriptedDispatcher(answering: response), observers: [inspector]) {}
    _ = try await pipeline.send(.example)
    #expect(inspector.log.usage.bytes < 1 << 20)
    #expect(inspector.records.last?.exchanges.first?.response?.body.bytes.count == 256 << 10)
  }

  @Test("An inspector and its calls are released, also while a call runs")
  func release() async throws {
    weak var released: Inspector?
    weak var log: CallLog?
    do {
      let inspector = Inspector(app: "Test")
      (released, log) = (inspector, inspector.log)
      let pipeline = try Pipeline(over: ScriptedDispatcher(), observers: [inspector]) {}
      inspector.replays(through: pipeline)
      _ = try await pipeline.send(.example)
    }
    #expect(released == nil)
    #expect(log == nil)
  }
}
