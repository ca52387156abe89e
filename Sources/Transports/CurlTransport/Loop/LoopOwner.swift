import CCurlShims
import CLibcurl
import COpenSSL
import Interception
import Synchronization

/// Keeps a loop's thread alive; the thread ends when the last owner is released.
///
/// The dispatcher retains it, and so does each streamed response, which may outlive the dispatcher.
final class LoopOwner: Sendable {
  let mailbox: Mailbox
  let spinPolicy: Mutex<SpinPolicy>

  init(
    configuration: CurlDispatcher.Configuration, library: LoadedLibrary,
    store: AlternativeServiceStore? = nil, time: TimeSource
  ) {
    // Without this, OpenSSL is cleaned up when the program ends, while the thread may still use it.
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    spinPolicy = Mutex(SpinPolicy(isEnabled: configuration.spinning))
    mailbox = Mailbox { mailbox in
      let isRunning =
        library.shortcoming == nil && switchyard_curl_global_init() == CURLE_OK
        && LoopThread.start {
          TransferLoop.run(
            mailbox: mailbox, configuration: configuration, library: library, store: store, time: time)
        }
      if !isRunning { mailbox.refuse { .resources(origin: $0, "a thread") } }
    }
  }

  deinit { mailbox.close(grace: .zero) }

  /// Counts what the loop holds after every command posted before; all numbers are 0 without a thread.
  func census() async -> TransferCensus {
    if mailbox.hasNoThread { return TransferCensus() }
    return await withCheckedContinuation { continuation in
      if !mailbox.post(.census(continuation)) { continuation.resume(returning: TransferCensus()) }
    }
  }
}

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

/// Decides when a thread spins briefly before it blocks.
///
/// Waking a thread takes longer than a response from a nearby server. So an idle loop's thread spins for the
/// next request after a response, and the caller of the only request in flight spins for its response. Both
/// do so while requests are sent one after another, or messages over one upgraded connection: with more in
/// flight, other threads need the processors, and the loop's thread is rarely idle. After two misses in a row
/// a thread spins at every 64th opportunity only, until it succeeds again.
struct SpinPolicy {
  /// The maximum time that the loop's thread spins for the next request.
  static let requestTime = Duration.microseconds(40)
  /// The maximum time that a caller spins for the response to the only request in flight.
  static let responseTime = Duration.microseconds(100)
  private static let maximumMisses = 2
  private static let interval = 64

  let isEnabled: Bool
  private var misses = 0
  private var skipped = 0
  /// Whether two requests were in flight since the last opportunity.
  private var isConcurrent = false

  init(isEnabled: Bool) { self.isEnabled = isEnabled }

  /// Notes how many requests are in flight once one more started.
  mutating func note(inFlight: Int) { isConcurrent = isConcurrent || inFlight > 1 }

  mutating func shouldSpin() -> Bool {
    defer { isConcurrent = false }
    guard isEnabled, !isConcurrent else { return false }
    guard misses >= Self.maximumMisses else { return true }
    skipped = (skipped + 1) % Self.interval
    return skipped == 0
  }

  mutating func record(success: Bool) { misses = success ? 0 : misses + 1 }

  /// Spins for at most `time`; returns whether `condition` became true.
  static func spin(_ time: Duration, until condition: () -> Bool) -> Bool {
    let clock = ContinuousClock()
    let end = clock.now + time
    repeat {
      for _ in 0..<16 {
        if condition() { return true }
        switchyard_pause()
      }
      // The thread that makes the condition true may be waiting for this processor.
      switchyard_yield()
    } while clock.now < end
    return false
  }
}

/// The calling thread's store of memory that libcurl freed, for its next transfers.
enum BlockStore {
  /// The maximum number of bytes that an idle thread keeps.
  static let restingBytes = 1 << 20

  /// Whether the store holds more than an idle thread should keep.
  static var isLarge: Bool { switchyard_block_store_kept() > restingBytes }

  static func open() { switchyard_block_store_open() }

  /// Frees what an idle thread should not keep.
  static func trim() { switchyard_block_store_trim(restingBytes) }

  static func close() { switchyard_block_store_close() }
}
