/// Runs tasks on libcurl's thread, for callers that chose so.
///
/// Once the thread has ended, tasks run on Swift's pool.
final class LoopExecutor: TaskExecutor {
  private let mailbox: Mailbox

  init(mailbox: Mailbox) { self.mailbox = mailbox }

  func enqueue(_ job: consuming ExecutorJob) { enqueue(UnownedJob(job)) }

  func enqueue(_ job: UnownedJob) {
    if !mailbox.post(.run(job)) { Self.runElsewhere(job) }
  }

  /// Runs a job; on the thread.
  func run(_ job: UnownedJob) { unsafe job.runSynchronously(on: asUnownedTaskExecutor()) }

  /// Hands a job to Swift's pool.
  static func runElsewhere(_ job: UnownedJob) { globalConcurrentExecutor.enqueue(job) }
}
