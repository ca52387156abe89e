import Dispatch
import Synchronization

/// Runs asynchronous work from a synchronous main function.
public enum Waiting {
  private final class Ending: Sendable {
    let failure = Mutex<(any Error)?>(nil)
    let signal = DispatchSemaphore(value: 0)
  }

  /// Runs `work`, and blocks the calling thread until it returns or throws.
  ///
  /// An asynchronous main function would park the main thread in a way that crashes valgrind 3.19, which is
  /// used to count instructions.
  public static func wait(for work: @escaping @Sendable () async throws -> Void) throws {
    let ending = Ending()
    Task.detached {
      do { try await work() } catch { ending.failure.withLock { $0 = error } }
      ending.signal.signal()
    }
    ending.signal.wait()
    if let failure = ending.failure.withLock({ $0 }) { throw failure }
  }
}
