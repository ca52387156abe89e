import Interception

/// Pulls a streamed request body from its source, away from libcurl's thread, as fast as it is sent.
struct UploadPump: Sendable {
  let id: TransferID
  let body: RequestBody
  let queue: UploadQueue
  let mailbox: Mailbox

  /// Starts pulling; ``UploadPump/Running/stop()`` ends it early.
  func start() -> Running { Running(queue: queue, task: Task { await run() }) }

  /// A pump at work.
  struct Running: Sendable {
    let queue: UploadQueue
    fileprivate let task: Task<Void, Never>

    /// Ends the pulling.
    ///
    /// The source is told on a thread of Swift's pool, since it is user code.
    func stop() {
      queue.close()
      let task = task
      Task { task.cancel() }
    }
  }

  private func run() async {
    do throws(NetworkError) {
      let source = try await body.open()
      mailbox.post(.uploadOpened(id))
      try await pull(source)
    } catch {
      mailbox.post(.uploadFailed(id, error))
    }
  }

  private func pull(_ source: any ByteSource) async throws(NetworkError) {
    let result: Result<Void, NetworkError> = await withTaskCancellationHandler {
      do throws(NetworkError) {
        try await copy(source)
        return .success(())
      } catch {
        source.cancel()
        return .failure(error)
      }
    } onCancel: {
      source.cancel()
    }
    try result.get()
  }

  private func copy(_ source: any ByteSource) async throws(NetworkError) {
    var total: Int64 = 0
    while let chunk = try await source.read() {
      total += Int64(chunk.count)
      if let length = body.length, total > length {
        throw RequestTarget.invalid(
          "The body gave more than the \(length) bytes it had promised; correct the length, or promise none.")
      }
      guard !chunk.isEmpty else { continue }
      // The chunk may be awaited by a paused transfer, which must be resumed before this waits for room.
      let place = queue.append(chunk)
      if place.wasStarved { mailbox.post(.uploadReady(id)) }
      if place.isFull { try await queue.waitForRoom() }
    }
    if let length = body.length, total < length {
      throw RequestTarget.invalid(
        "The body ended after \(total) of the \(length) bytes it had promised; correct the length, or promise none."
      )
    }
    if queue.end() { mailbox.post(.uploadReady(id)) }
  }
}
