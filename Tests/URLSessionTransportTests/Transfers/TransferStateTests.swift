import Interception
import Testing

@testable import URLSessionTransport

@Suite struct TransferStateTests {
  private static func cancellation(_ state: inout TransferState) -> TransferState.End? {
    .failed(.cancelled(.task, origin: "http://a.test", mayHaveBeenProcessed: state.wasLaunched))
  }

  private static func error(_ end: TransferState.End?) -> NetworkError? {
    if case .failed(let error) = end { error } else { nil }
  }

  @Test("A cancellation says whether the request was launched before it", arguments: [false, true])
  func launched(isLaunched: Bool) {
    var state = TransferState(RequestOptions(), handedOver: .zero)
    if isLaunched { state.launchedAt = .seconds(1) }
    state.decodedBytes = 7
    let settled = state.settle(Self.cancellation)
    let error = Self.error(settled?.end)
    #expect(error?.requestMayHaveBeenProcessed == isLaunched)
    #expect(error?.progress.receivedBytes == 7)
  }

  @Test("Only the first end has an effect, and a later one is not even decided")
  func once() {
    var state = TransferState(RequestOptions(), handedOver: .zero)
    #expect(state.settle { _ in nil } == nil)
    #expect(state.settle(Self.cancellation) != nil)
    var isDecided = false
    let second = state.settle { _ in
      isDecided = true
      return .complete
    }
    #expect(second == nil && !isDecided)
    #expect(Self.error(state.end)?.kind == .cancelled(.task))
  }
}

@Suite struct IdleWaitTests {
  @Test("A wait ends with the last transfer or the grace period, and does not begin after either")
  func ends() {
    var wait = IdleWait<String>()
    #expect(wait.begin("idle", isIdle: true) == false)
    #expect(wait.begin("first", isIdle: false) == true)
    #expect(wait.end() == ["first"])
    #expect(wait.end() == [])
    #expect(wait.begin("second", isIdle: false) == true)
    #expect(wait.endGrace() == ["second"])
    #expect(wait.begin("late", isIdle: false) == false, "Nothing would end it.")
  }
}
