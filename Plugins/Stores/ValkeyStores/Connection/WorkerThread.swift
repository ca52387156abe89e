import CHiredis

/// A thread of its own for calls that block, which must not run on Swift's pool.
enum WorkerThread {
  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `run` on a new, detached thread; returns false if the system can't create one.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(run))
    let code = unsafe switchyard_hiredis_thread_start(
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    if code != 0 { unsafe work.release() }
    return code == 0
  }
}
