import CCurlShims
import CLibcurl
import Interception

/// Keeps a loop's thread alive; when the last one lets go, the thread ends.
///
/// The dispatcher holds it, and so does the stream of every answer that is still being read, which may
/// outlive the dispatcher.
final class LoopOwner: Sendable {
  let mailbox: Mailbox
  /// Runs tasks on the thread.
  let executor: LoopExecutor

  init(configuration: CurlDispatcher.Configuration, features: LibraryFeatures, time: TimeSource) {
    let mailbox = Mailbox()
    let executor = LoopExecutor(mailbox: mailbox)
    self.mailbox = mailbox
    self.executor = executor
    let isRunning =
      curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
      && LoopThread.start {
        TransferLoop.run(
          mailbox: mailbox, executor: executor, configuration: configuration, features: features, time: time)
      }
    if !isRunning {
      _ = mailbox.close()
      mailbox.announceClosed()
    }
  }

  deinit { mailbox.post(.close(grace: .zero)) }
}
