import HTTPTypes
import Interception
import Synchronization

extension LawCheck {
  /// Passes bodies that record whether they are read to the interceptor; `next` reads none.
  func readsOnlyDeclaredBodies() async -> Finding {
    let opened = Mutex(0)
    var sample = sample
    if sample.head.method != .get, case .untouched = subject.traits.requestBody {
      sample.body = .restartable(length: 6) { () throws(NetworkError) in
        opened.withLock { $0 += 1 }
        return WatchedByteSource()
      }
    }
    let bodies = Mutex<[WatchedByteSource]>([])
    for status in Self.statuses {
      let next = ScriptedDispatcher { [self] _, _ throws(NetworkError) in
        let source = WatchedByteSource()
        bodies.withLock { $0.append(source) }
        return response(status, source)
      }
      let result = await outcome(sample, over: next)
      if opened.withLock({ $0 }) > 0 {
        return .broken("reads the request's body, which its traits declare as untouched; declare requestBody")
      }
      if bodies.withLock({ $0.contains { $0.state.value.reads > 0 } }) {
        return .broken(
          "reads the response's body before it returns; declare responseBody, or wrap the stream")
      }
      withExtendedLifetime(result) {}
    }
    return bodies.withLock(\.isEmpty) ? .unproven("no sample reached next") : .kept
  }

  /// Releases responses and checks whether their transfers end.
  func releasesDroppedAnswers() async -> Finding {
    let sources = Mutex<[WatchedByteSource]>([])
    for status in Self.statuses {
      let next = ScriptedDispatcher { [self] _, _ throws(NetworkError) in
        let source = WatchedByteSource()
        if subject.traits.responseBodyLimit == nil { sources.withLock { $0.append(source) } }
        return response(status, source)
      }
      _ = await outcome(sample, over: next)
      for source in sources.withLock(\.self) {
        guard await settles(source.state, { $0.isOver }) else {
          return .broken(
            "retains the \(status) response after its caller released it; store no response, or read its whole body"
          )
        }
      }
    }
    return sources.withLock(\.isEmpty)
      ? .unproven("no response was a stream, because of the traits or because no sample reached next") : .kept
  }
}

/// A body that records its reads and its end.
final class WatchedByteSource: ByteSource {
  struct State: Sendable {
    var chunks: [[UInt8]]
    var reads = 0
    var isOver = false
  }

  let state: WaitableValue<State>

  init(_ chunks: [[UInt8]] = [[1, 2, 3], [4, 5, 6]]) { state = WaitableValue(State(chunks: chunks)) }

  func read() async throws(NetworkError) -> [UInt8]? {
    state.update { state in
      state.reads += 1
      guard !state.chunks.isEmpty, !state.isOver else {
        state.isOver = true
        return nil
      }
      return state.chunks.removeFirst()
    }
  }

  func cancel() { state.update { $0.isOver = true } }
}
