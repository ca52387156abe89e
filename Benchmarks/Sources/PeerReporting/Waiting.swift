import Dispatch
import Synchronization

/// Runs asynchronous work from a program's synchronous main function.
public enum Waiting {
  private final class Ending: Sendable {
    let failure = Mutex<(any Error)?>(nil)
    let signal = DispatchSemaphore(value: 0)
  }

  /// Returns when `work` is done, or throws what it throws, and blocks the calling thread until then.
  ///
  /// An asynchronous main function would park the main thread in a way that valgrind 3.19 does not survive,
  /// and instructions are counted with that.
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
