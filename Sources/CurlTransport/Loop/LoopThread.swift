import CCurlShims

enum LoopThread {
  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `run` on a new, detached thread; returns false if the system cannot create one.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(run))
    let code = unsafe switchyard_thread_start(
      { context in
        guard let context = unsafe context else { return nil }
        unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
        return nil
      }, work.toOpaque())
    if code != 0 { unsafe work.release() }
    return code == 0
  }
}
