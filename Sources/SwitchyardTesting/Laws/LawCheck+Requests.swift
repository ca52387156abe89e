import HTTPTypes
import Interception

private enum StrangersKey: ContextKey { static let defaultValue = "" }

extension LawCheck {
  /// Counts the calls of `next` after responses and after an error.
  func callsNextAsDeclared() async -> Finding {
    let declared = subject.traits.callsNext
    guard declared != .anyNumber else { return .unproven("it declares any number of calls") }
    for status in Self.statuses.map(Optional.some) + [nil] {
      let next = ScriptedDispatcher { [self] _, _ throws(NetworkError) in
        guard let status else {
          throw NetworkError(.transport, "The connection broke.", origin: .dispatcher("ScriptedDispatcher"))
        }
        return response(status, WatchedByteSource())
      }
      let result = await outcome(sample, over: next)
      let calls = next.requests.count
      let what = status.map { "a \($0) response" } ?? "an error"
      if calls > 1 {
        return .broken(
          "calls next \(calls) times after \(what); declare callsNext: .anyNumber, or call it once")
      }
      if calls == 0, declared == .exactlyOnce, case .success = result {
        return .broken("responds without calling next; declare callsNext: .atMostOnce")
      }
    }
    return .kept
  }

  /// Sets a context value with an unknown key and checks that `next` receives it.
  func leavesUnknownContextAlone() async -> Finding {
    var sample = sample
    sample.context[StrangersKey.self] = "left here"
    let next = ScriptedDispatcher { [self] _, _ throws(NetworkError) in response(.ok, WatchedByteSource()) }
    _ = await outcome(sample, over: next)
    guard !next.requests.isEmpty else { return .unproven("no sample reached next") }
    for request in next.requests {
      if request.context[StrangersKey.self] != "left here" {
        return .broken("drops the context value of an unknown key; modify a copy of the request")
      }
      if request.id != sample.id {
        return .broken("creates a request with another identity; modify a copy of the one it was given")
      }
    }
    return .kept
  }

  /// Makes `next` fail and checks the error that the interceptor throws.
  func attributesHonestly() async -> Finding {
    let failure = NetworkError(
      .transport, "The connection broke.", requestMayHaveBeenProcessed: true,
      origin: .dispatcher("ScriptedDispatcher"))
    let next = ScriptedDispatcher(failing: failure)
    let result = await outcome(sample, over: next)
    guard case .failure(let thrown) = result else {
      return .unproven("it returned \((try? result.get().status.code) ?? 0) although next failed")
    }
    // The pipeline attributes foreign errors and errors without an origin.
    guard let error = thrown as? NetworkError, let origin = error.origin else {
      return next.requests.isEmpty ? .unproven("no sample reached next") : .kept
    }
    if error.requestMayHaveBeenProcessed == next.requests.isEmpty {
      return .broken(
        next.requests.isEmpty
          ? "reports that the request may have been processed although nothing was sent"
          : "reports that the request was not processed although next reported that it may have been; keep the flag"
      )
    }
    switch origin {
    case .interceptor(subject.name): return .kept
    case failure.origin where error.kind == failure.kind && error.reason == failure.reason: return .kept
    case failure.origin:
      return .broken(
        "modifies an error but keeps the dispatcher as its origin; clear the origin, or rethrow the error unchanged"
      )
    default:
      return .broken("attributes its error to \(origin); leave origin nil, so that the pipeline sets it")
    }
  }
}
