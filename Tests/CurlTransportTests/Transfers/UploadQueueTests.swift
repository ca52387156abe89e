import Interception
import LoopbackServing
import SwitchyardTesting
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct UploadQueueTests {
  private let queue = UploadQueue()

  /// The next bytes; none at the end, and nil if the queue is starved.
  private func fill(_ size: Int) -> [UInt8]? {
    var target = [UInt8](repeating: 0, count: size)
    return target.withUnsafeMutableBytes { queue.fill($0) }.map { Array(target.prefix($0)) }
  }

  @Test("Chunks come out in order, cut to the room in the target")
  func order() {
    _ = queue.append([1, 2, 3])
    _ = queue.append([4])
    #expect(fill(2) == [1, 2])
    #expect(fill(2) == [3])
    #expect(fill(2) == [4])
    #expect(fill(2) == nil)
  }

  @Test("Appending and ending report that libcurl was waiting")
  func starving() {
    #expect(queue.append([1]).wasStarved == false)
    _ = fill(1)
    #expect(fill(1) == nil)
    #expect(queue.append([2]).wasStarved)
    _ = fill(1)
    _ = fill(1)
    #expect(queue.end())
    #expect(fill(1) == [])
  }

  @Test("A source is at most two chunks ahead")
  func bounds() async throws {
    let source = PatternSource(length: 1000, chunk: 10)
    let writing = Task { [queue] in
      while let chunk = try await source.read() {
        if queue.append(chunk).isFull { try await queue.waitForRoom() }
      }
      _ = queue.end()
    }
    var taken = 0
    while true {
      var filled: [UInt8]?
      try await waitUntil("the queue has a chunk or has ended") {
        filled = fill(7)
        return filled != nil
      }
      let bytes = try #require(filled)
      #expect(PatternSource.matches(bytes, at: taken))
      taken += bytes.count
      // Read, and perhaps not yet appended: one chunk beyond what the queue holds.
      #expect(source.produced - taken <= 10 * (UploadQueue.capacity + 1))
      if bytes.isEmpty { break }
    }
    try await writing.value
    #expect(taken == 1000)
  }

  @Test("A source that waits for room fails once the queue is closed")
  func closing() async throws {
    _ = queue.append([1])
    _ = queue.append([2])
    let waiting = Task { [queue] in
      await failure { () throws(NetworkError) in try await queue.waitForRoom() }
    }
    queue.close()
    #expect(await waiting.value?.kind == .cancelled(.task))
    #expect(queue.append([3]).isFull)
  }
}
