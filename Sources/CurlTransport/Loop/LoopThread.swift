#if canImport(Darwin)
import Darwin
#elseif canImport(Musl)
import Musl
#else
import Glibc
#endif

/// Starts a detached thread.
enum LoopThread {
  private final class Work {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }

  /// Runs `run` on a new thread; false when the system gives none.
  static func start(_ run: @escaping @Sendable () -> Void) -> Bool {
    let work = unsafe Unmanaged.passRetained(Work(run))
    #if canImport(Darwin)
    var thread: pthread_t?
    #else
    var thread = pthread_t()
    #endif
    let code = unsafe pthread_create(
      &thread, nil,
      { context in
        #if !canImport(Darwin)
        if let context = unsafe context { unsafe LoopThread.enter(context) }
        #else
        unsafe LoopThread.enter(context)
        #endif
        return nil
      }, work.toOpaque())
    guard code == 0 else {
      unsafe work.release()
      return false
    }
    #if canImport(Darwin)
    if let thread { pthread_detach(thread) }
    #else
    pthread_detach(thread)
    #endif
    return true
  }

  private static func enter(_ context: UnsafeMutableRawPointer) {
    // libcurl is told to leave signals alone, and OpenSSL writes to sockets without MSG_NOSIGNAL: a peer that
    // has gone must not end the process.
    var blocked = sigset_t()
    unsafe sigemptyset(&blocked)
    unsafe sigaddset(&blocked, SIGPIPE)
    unsafe pthread_sigmask(SIG_BLOCK, &blocked, nil)
    unsafe Unmanaged<Work>.fromOpaque(context).takeRetainedValue().run()
  }
}
