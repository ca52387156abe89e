import Synchronization

/// One passage of a request through a pipeline: what was entered and left, and whether the server may have acted.
///
/// It is the one heap object of a call that nobody observes; nothing is stamped then.
@usableFromInline
final class Call: Sendable {
  let pipeline: Pipeline
  /// Whether anybody wants to be told of the call; the observers were asked when it began.
  @usableFromInline let isObserved: Bool
  private let processed = Atomic(false)
  private let observation: Observation?

  @inline(__always)
  init(pipeline: Pipeline, request: Request) {
    self.pipeline = pipeline
    observation =
      pipeline.observers.isEmpty
      ? nil : Observation.began(of: request, by: pipeline.observers, time: pipeline.time)
    isObserved = observation != nil
  }

  var wasProcessed: Bool { processed.load(ordering: .relaxed) }

  func noteProcessed() { processed.store(true, ordering: .relaxed) }

  /// Notes that a step begins, and returns its frame; -1 where nobody observes.
  func enter(_ step: @autoclosure () -> PipelineEvent.Step, parent: Int, attempt: Int) -> Int {
    observation?.enter(step(), parent: parent, attempt: attempt) ?? -1
  }

  /// Notes that a step ends.
  func leave(_ frame: Int, with result: @autoclosure () -> Result<Response, NetworkError>, attempt: Int) {
    observation?.leave(frame, with: result(), attempt: attempt)
  }

  /// Notes that the caller has its answer.
  func finished(_ result: @autoclosure () -> Result<Response, NetworkError>, attempt: Int) {
    observation?.finished(result(), attempt: attempt)
  }
}
