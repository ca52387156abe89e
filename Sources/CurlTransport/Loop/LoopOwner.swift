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

  init(configuration: CurlDispatcher.Configuration, library: LoadedLibrary, time: TimeSource) {
    // Without this, OpenSSL is cleaned up when the program ends, while the thread may still use it.
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    spinPolicy = Mutex(SpinPolicy(isEnabled: configuration.spinning))
    mailbox = Mailbox { mailbox in
      let isRunning =
        library.shortcoming == nil && switchyard_curl_global_init() == CURLE_OK
        && LoopThread.start {
          TransferLoop.run(mailbox: mailbox, configuration: configuration, library: library, time: time)
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
