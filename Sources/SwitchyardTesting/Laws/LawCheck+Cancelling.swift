import HTTPTypes
import Interception

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
