import Interception
import Testing

@testable import CurlTransport

@Suite("The lanes of origins") struct LaneTableTests {
  private static func origin(_ number: Int) -> WebOrigin {
    WebOrigin(scheme: .http, host: "h\(number).test", port: 80)
  }

  private static func key(_ number: Int) -> LaneTable.Key {
    .init(origin: origin(number), needsOwnConnection: false)
  }

  private static func entry(_ number: Int) -> WaitingLine.Entry {
    let rank = WaitingLine.Rank(
      arrival: .zero, priority: .normal, ageing: .seconds(1), number: UInt64(number))
    return .init(id: TransferID(number: UInt64(number)), rank: rank, deadline: nil, bytes: 0)
  }

  @Test("The lane of the request that has waited longest is next, if it has room")
  func next() {
    var table = LaneTable(limits: .init(perOrigin: 1))
    let lanes = (0..<3).map { table.lane(of: Self.key($0)) }
    for (number, lane) in lanes.enumerated() { table.change(lane) { $0.line.insert(Self.entry(number)) } }
    #expect(table.next == lanes[0])
    table.change(lanes[0]) { $0.running = 1 }
    #expect(table.next == lanes[1])
    _ = table.change(lanes[1]) { $0.line.removeNext() }
    #expect(table.next == lanes[2])
    table.change(lanes[0]) { $0.running = 0 }
    #expect(table.next == lanes[0])
  }

  @Test("Beyond 1,024 lanes new ones replace those that have been idle, and never a busy one")
  func replacement() {
    var table = LaneTable(limits: .init())
    let busy = (0..<1_024).filter { !$0.isMultiple(of: 4) }
    for number in 0..<1_024 {
      let lane = table.lane(of: Self.key(number))
      if busy.contains(number) { table.change(lane) { $0.running = 1 } }
    }
    for number in 1_024..<1_280 {
      let lane = table.lane(of: Self.key(number))
      table.change(lane) { $0.running = 1 }
    }
    #expect(table.count == 1_024)
    #expect(busy.allSatisfy { table.lane(ifKnown: Self.key($0)) != nil })
    #expect((1_024..<1_280).allSatisfy { table.lane(ifKnown: Self.key($0)) != nil })
    // All are busy now.
    #expect(table.lane(of: Self.key(2_000)) == 1_024)
  }

  @Test("A lane that was idle, busy and idle again is replaced once")
  func repeatedly() {
    var table = LaneTable(limits: .init())
    let lanes = (0..<1_024).map { table.lane(of: Self.key($0)) }
    for _ in 0..<3 {
      for lane in lanes { table.change(lane) { $0.running = 1 } }
      for lane in lanes { table.change(lane) { $0.running = 0 } }
    }
    let others = (2_000..<3_024).map { table.lane(of: Self.key($0)) }
    #expect(Set(others).count == 1_024)
    #expect(table.count == 1_024)
  }
}
