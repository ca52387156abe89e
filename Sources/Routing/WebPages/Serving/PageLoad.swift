public import HTTPTypes
public import Interception

/// A web view's request that a ``PageHandler`` is answering.
///
/// All events are delivered on the main actor, where web views start and stop their requests: nothing is
/// delivered once ``cancel()`` was called. Releasing a load doesn't cancel it.
@MainActor public final class PageLoad {
  /// What a web view is given, in this order: a head, any number of chunks, and an end.
  public enum Event: Sendable {
    /// The status and the header fields; the first event, unless the load fails before.
    case head(HTTPResponse)
    /// A chunk of the content, never empty.
    case bytes([UInt8])
    /// The content is complete; the last event.
    case finished
    /// The load has failed; the last event.
    case failed(NetworkError)
  }

  private var receive: (@MainActor (Event) -> Void)?
  private var task: Task<Void, Never>?

  init(_ receive: @escaping @MainActor (Event) -> Void) { self.receive = receive }

  /// Whether the last event was delivered, or the load was cancelled.
  var isEnded: Bool { receive == nil }

  /// Cancels the request; no event is delivered from now on.
  ///
  /// It may be called at any time and repeatedly, also while an event is delivered.
  public func cancel() {
    receive = nil
    task?.cancel()
    task = nil
  }

  func begin(_ task: Task<Void, Never>) { if isEnded { task.cancel() } else { self.task = task } }

  /// Delivers an event unless the load has ended; returns whether further ones may follow.
  func deliver(_ event: Event) -> Bool {
    guard let receive else { return false }
    switch event {
    case .head, .bytes: break
    case .finished, .failed: (self.receive, task) = (nil, nil)
    }
    receive(event)
    return !isEnded
  }
}
