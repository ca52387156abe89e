import Interception
import Testing

@testable import RequestTelemetry

@Suite struct CallTableTests {
  private let call = CallTable.Call(api: nil, startedAt: .zero, span: nil)

  @Test("The requests of a call are counted until it ends")
  func sends() {
    var table = CallTable()
    let id = RequestID.next()
    table.begin(call, id)
    #expect(table.noteSend(of: id)?.earlierSends == 0)
    #expect(table.noteSend(of: id)?.earlierSends == 1)
    #expect(table.end(id)?.sends == 2)
    #expect(table.noteSend(of: id) == nil)
    #expect(table.end(id) == nil)
    #expect(table.isEmpty)
  }

  @Test("Concurrent calls with copies of one request are kept apart")
  func copies() {
    var table = CallTable()
    let id = RequestID.next()
    table.begin(call, id)
    _ = table.noteSend(of: id)
    table.begin(call, id)
    #expect(table.end(id)?.sends == 0)
    #expect(table.end(id)?.sends == 1)
    #expect(table.isEmpty)
  }
}
