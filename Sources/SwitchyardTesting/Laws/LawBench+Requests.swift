import HTTPTypes
import Interception

private enum StrangersKey: ContextKey { static let defaultValue = "" }

extension LawBench {
  /// Counts the calls of `next` for answers and for an error.
  func callsNextAsDeclared() async -> Finding {
    let declared = subject.traits.callsNext
    guard declared != .anyNumber else { return .unproven("it declares any number of calls") }
    for status in Self.statuses.map(Optional.some) + [nil] {
      let next = ScriptedDispatcher { [self] _, _ throws(NetworkError) in
        guard let status else {
          throw NetworkError(.transport, "The connection broke.", origin: .dispatcher("ScriptedDispatcher"))
        }
        return answer(status, WatchedByteSource())
      }
      let result = await outcome(sample, over: next)
      let calls = next.requests.count
      let what = status.map { "an answer \($0)" } ?? "an error"
      if calls > 1 {
        return .broken(
          "calls next \(calls) times after \(what); declare callsNext: .anyNumber, or call it once")
      }
      if calls == 0, declared == .exactlyOnce, case .success = result {
        return .broken("answers without next; declare callsNext: .atMostOnce")
      }
    }
    return .kept
  }

  /// Leaves a value of a strange key, and looks for it further in.
  func leavesUnknownContextAlone() async -> Finding {
    var sample = sample
    sample.context[StrangersKey.self] = "left here"
    let next = ScriptedDispatcher { [self] _, _ throws(NetworkError) in answer(.ok, WatchedByteSource()) }
    _ = await outcome(sample, over: next)
    guard !next.requests.isEmpty else { return .unproven("the sample never reached next") }
    for request in next.requests {
      if request.context[StrangersKey.self] != "left here" {
        return .broken("loses a context value of a key that it doesn't know; change a copy of the request")
      }
      if request.id != sample.id {
        return .broken("makes a request with another identity; change a copy of the one it was given")
      }
    }
    return .kept
  }

  /// Lets `next` fail, and looks at what becomes of the error.
  func attributesHonestly() async -> Finding {
    let failure = NetworkError(
      .transport, "The connection broke.", requestMayHaveBeenProcessed: true,
      origin: .dispatcher("ScriptedDispatcher"))
    let next = ScriptedDispatcher(failing: failure)
    let result = await outcome(sample, over: next)
    guard case .failure(let thrown) = result else {
      return .unproven("it answered \((try? result.get().status.code) ?? 0) where next failed")
    }
    // What is foreign, or has no origin, the pipeline attributes.
    guard let error = thrown as? NetworkError, let origin = error.origin else {
      return next.requests.isEmpty ? .unproven("the sample never reached next") : .kept
    }
    if error.requestMayHaveBeenProcessed == next.requests.isEmpty {
      return .broken(
        next.requests.isEmpty
          ? "says that the request may have been processed, and nothing was sent"
          : "says that the request was not processed, and next said that it may have been; keep that flag")
    }
    switch origin {
    case .interceptor(subject.name): return .kept
    case failure.origin where error.kind == failure.kind && error.reason == failure.reason: return .kept
    case failure.origin:
      return .broken(
        "changes an error and leaves it the dispatcher's; clear its origin, or rethrow it as it is")
    default:
      return .broken("attributes its error to \(origin); leave origin nil, and the pipeline fills it in")
    }
  }
}
