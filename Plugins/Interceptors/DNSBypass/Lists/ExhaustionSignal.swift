import Synchronization

/// Tells a refresher that no address of a host can be reached.
final class ExhaustionSignal: Sendable {
  private let handler = Mutex<(@Sendable () -> Void)?>(nil)

  /// Sets what is called; nil for nothing.
  func setHandler(_ handler: (@Sendable () -> Void)?) { self.handler.withLock { $0 = handler } }

  /// Calls the handler, if there is one.
  func send() { handler.withLock { $0 }?() }
}
