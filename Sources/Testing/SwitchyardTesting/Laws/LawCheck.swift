import HTTPTypes
import Interception

/// Checks one law for one interceptor with one sample request.
struct LawCheck<Subject: Interceptor>: Sendable {
  /// The result of a check.
  enum Finding {
    case kept
    case broken(String)
    case unproven(String)
  }

  let subject: Subject
  let sample: Request
  let patience: Duration

  /// The status codes that interceptors commonly handle differently.
  static var statuses: [HTTPResponse.Status] {
    [.ok, .notModified, .unauthorized, .notFound, .unsupportedMediaType, .serviceUnavailable]
  }

  func find(_ law: InterceptorLaw) async -> Finding {
    switch law {
    case .passesCancellation: await passesCancellation()
    case .readsOnlyDeclaredBodies: await readsOnlyDeclaredBodies()
    case .callsNextAsDeclared: await callsNextAsDeclared()
    case .releasesDroppedAnswers: await releasesDroppedAnswers()
    case .leavesUnknownContextAlone: await leavesUnknownContextAlone()
    case .attributesHonestly: await attributesHonestly()
    }
  }

  /// Runs the interceptor with a dispatcher as `next`.
  func outcome(_ request: Request, over next: ScriptedDispatcher) async -> Result<Response, any Error> {
    do {
      return .success(try await subject.intercept(request, next: next))
    } catch {
      return .failure(error)
    }
  }

  /// Returns a response in the form in which the pipeline would pass it to the interceptor.
  func response(_ status: HTTPResponse.Status, _ source: WatchedByteSource) -> Response {
    if subject.traits.responseBodyLimit != nil { return Response(status: status, bytes: [1, 2, 3]) }
    return Response(HTTPResponse(status: status), body: .stream(BodyStream(length: 6, source)))
  }

  /// Whether a value satisfies a condition within the patience.
  func settles<Value>(
    _ value: WaitableValue<Value>, _ condition: @escaping @Sendable (Value) -> Bool
  ) async -> Bool {
    if condition(value.value) { return true }
    return await withTaskGroup(of: Bool.self) { group in
      group.addTask { (try? await value.wait(until: condition)) != nil }
      group.addTask { [patience] in
        try? await ContinuousClock().sleep(for: patience)
        return false
      }
      let isSettled = await group.next() ?? false
      group.cancelAll()
      return isSettled
    }
  }
}

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

extension LawCheck {
  private struct Course: Sendable {
    var calls = 0
    var sawCancellation = false
    var mayGo = false
    var result: Result<Response, any Error>?
  }

  /// Cancels the task while `next` is running.
  func passesCancellation() async -> Finding {
    let course = WaitableValue(Course())
    let next = ScriptedDispatcher { _, _ throws(NetworkError) in
      course.update { $0.calls += 1 }
      do {
        try await course.wait { $0.mayGo }
        return Response(status: .ok)
      } catch {
        course.update { $0.sawCancellation = true }
        throw NetworkError(
          .cancelled(.task), "The request was cancelled.", requestMayHaveBeenProcessed: true,
          origin: .dispatcher("ScriptedDispatcher"))
      }
    }
    let task = Task { [self] in
      let result = await outcome(sample, over: next)
      course.update { $0.result = result }
    }
    defer {
      task.cancel()
      course.update { $0.mayGo = true }
    }
    guard await settles(course, { $0.calls > 0 || $0.result != nil }), course.value.calls > 0 else {
      return .unproven("no sample reached next")
    }
    task.cancel()
    guard await settles(course, { $0.sawCancellation }) else {
      return .broken("does not propagate the cancellation to next; call next in the caller's task")
    }
    guard await settles(course, { $0.result != nil }) else {
      return .broken("continues after the cancellation; rethrow the error of next")
    }
    let end = course.value
    guard end.calls == 1 else {
      return .broken("calls next again after the cancellation; rethrow an error of kind cancelled")
    }
    switch end.result {
    case .failure(let error as NetworkError) where error.kind == .cancelled(.task): return .kept
    case .failure(is CancellationError): return .kept
    case .failure(let error):
      return .broken("replaces the cancellation by \(error); rethrow the error of next")
    case .success(let response):
      return .broken("returns \(response.status) after the cancellation; rethrow the error of next")
    case nil: return .kept
    }
  }
}
