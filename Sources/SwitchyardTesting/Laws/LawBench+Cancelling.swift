import HTTPTypes
import Interception

extension LawBench {
  private struct Course: Sendable {
    var calls = 0
    var sawCancellation = false
    var mayGo = false
    var result: Result<Response, any Error>?
  }

  /// Cancels the task while `next` works.
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
      return .unproven("the sample never reached next")
    }
    task.cancel()
    guard await settles(course, { $0.sawCancellation }) else {
      return .broken("doesn't pass the cancellation to next; call next in the task that called you")
    }
    guard await settles(course, { $0.result != nil }) else {
      return .broken("goes on after the cancellation; rethrow what next throws")
    }
    let end = course.value
    guard end.calls == 1 else {
      return .broken("calls next again after the cancellation; rethrow an error of kind cancelled")
    }
    switch end.result {
    case .failure(let error as NetworkError) where error.kind == .cancelled(.task): return .kept
    case .failure(is CancellationError): return .kept
    case .failure(let error): return .broken("turns the cancellation into \(error); rethrow what next throws")
    case .success(let response):
      return .broken("answers \(response.status) after the cancellation; rethrow it")
    case nil: return .kept
    }
  }
}
