import CCurlShims
import CLibcurl
import COpenSSL
import Interception
import Synchronization

/// Keeps a loop's thread alive; when the last one lets go, the thread ends.
///
/// The dispatcher holds it, and so does the stream of every answer that is still being read, which may
/// outlive the dispatcher.
final class LoopOwner: Sendable {
  let mailbox: Mailbox
  /// Runs tasks on the thread.
  let executor: LoopExecutor
  /// Whether callers look out for their answers.
  let lookOut = Mutex(LookOut())

  init(configuration: CurlDispatcher.Configuration, library: LoadedLibrary, time: TimeSource) {
    let mailbox = Mailbox()
    let executor = LoopExecutor(mailbox: mailbox)
    self.mailbox = mailbox
    self.executor = executor
    // A program may end while the thread is at work: OpenSSL must not be taken down under it.
    _ = OPENSSL_init_crypto(UInt64(OPENSSL_INIT_NO_ATEXIT), nil)
    let isRunning =
      library.shortcoming == nil && switchyard_curl_global_init() == CURLE_OK
      && LoopThread.start {
        TransferLoop.run(
          mailbox: mailbox, executor: executor, configuration: configuration, library: library, time: time)
      }
    if !isRunning {
      _ = mailbox.close()
      mailbox.announceClosed()
    }
  }

  deinit { mailbox.post(.close(grace: .zero)) }
}
