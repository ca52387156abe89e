import Interception

/// Reads a streamed request body in a task of its own, at the pace at which it is sent.
struct UploadPump: Sendable {
  let id: TransferID
  let body: RequestBody
  let queue: UploadQueue
  let mailbox: Mailbox

  func run() async {
    do throws(NetworkError) {
      let source = try await body.open()
      mailbox.post(.uploadOpened(id))
      await withTaskCancellationHandler {
        do throws(NetworkError) {
          try await copy(source)
        } catch {
          source.cancel()
          mailbox.post(.uploadFailed(id, error))
        }
      } onCancel: {
        source.cancel()
      }
    } catch {
      mailbox.post(.uploadFailed(id, error))
    }
  }

  private func copy(_ source: any ByteSource) async throws(NetworkError) {
    var total: Int64 = 0
    while let chunk = try await source.read() {
      total += Int64(chunk.count)
      if let length = body.length, total > length { throw promiseBroken("gave more than", length) }
      guard !chunk.isEmpty else { continue }
      // libcurl may be waiting for the chunk, so it is resumed before this waits for room.
      let place = queue.append(chunk)
      if place.wasStarved { mailbox.post(.uploadReady(id)) }
      if place.isFull { try await queue.waitForRoom() }
    }
    if let length = body.length, total < length { throw promiseBroken("ended after \(total) of", length) }
    if queue.end() { mailbox.post(.uploadReady(id)) }
  }

  private func promiseBroken(_ words: String, _ length: Int64) -> NetworkError {
    .invalidRequest("The body \(words) the \(length) bytes it promised; correct the length, or promise none.")
  }
}
