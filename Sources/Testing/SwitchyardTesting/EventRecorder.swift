package import Interception
import Synchronization

/// Records the events of a pipeline, in order.
package final class EventRecorder: PipelineObserver {
  private let recorded = Mutex<[PipelineEvent]>([])

  /// Creates an empty recorder.
  package init() {}

  /// The events so far.
  package var events: [PipelineEvent] { recorded.withLock { $0 } }

  /// The events so far as text, such as `entered Signing` and `left Signing`.
  package var lines: [String] {
    events.map { event in
      switch event.kind {
      case .started: "started"
      case .entered(let step): "entered \(step.name)"
      case .left(let step, _, _, .answered): "left \(step.name)"
      case .left(let step, _, _, .failed): "failed \(step.name)"
      case .cache(let status): "cache \(status)"
      case .transport: "transport"
      case .finished(.answered): "finished"
      case .finished(.failed): "finished with an error"
      }
    }
  }

  /// Records an event.
  package func observe(_ event: PipelineEvent) { recorded.withLock { $0.append(event) } }
}
