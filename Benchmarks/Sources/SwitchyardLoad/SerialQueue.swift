import Dispatch

/// Runs jobs one after another, in the order in which they are enqueued.
final class SerialQueue: TaskExecutor {
  private let queue = DispatchQueue(label: "benchmark")

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
