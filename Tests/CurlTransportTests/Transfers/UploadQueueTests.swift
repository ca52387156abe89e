import Interception
import LoopbackServing
import Testing

@testable import CurlTransport

@Suite(.timeLimit(.minutes(5)))
struct UploadQueueTests {
  private let queue = UploadQueue()

  private func fill(_ size: Int) -> (UploadQueue.Fill, [UInt8]) {
    var target = [UInt8](repeating: 0, count: size)
    let fill = target.withUnsafeMutableBytes { queue.fill($0) }
    guard case .bytes(let count) = fill else { return (fill, []) }
    return (fill, Array(target.prefix(count)))
  }

  @Test func `chunks come out in order, cut to the room there is`() {
    _ = queue.append([1, 2, 3])
    _ = queue.append([4])
    #expect(fill(2) == (.bytes(2), [1, 2]))
    #expect(fill(2) == (.bytes(1), [3]))
    #expect(fill(2) == (.bytes(1), [4]))
    #expect(fill(2) == (.starved, []))
  }

  @Test func `the source is told when somebody waits for it`() {
    #expect(queue.append([1]).wasStarved == false)
    _ = fill(1)
    #expect(fill(1).0 == .starved)
    #expect(queue.append([2]).wasStarved)
    _ = fill(1)
    _ = fill(1)
    #expect(queue.end())
    #expect(fill(1).0 == .ended)
  }

  @Test func `a source is two chunks ahead at most`() async throws {
    let source = PatternSource(length: 1000, chunk: 10)
    let writing = Task { [queue] in
      while let chunk = try await source.read() {
        if queue.append(chunk).isFull { try await queue.waitForRoom() }
      }
      _ = queue.end()
    }
    var taken = 0
    while true {
      let (fill, bytes) = fill(7)
      #expect(PatternSource.matches(bytes, at: taken))
      taken += bytes.count
      // Read, and perhaps not yet appended: one chunk beyond what the queue holds.
      #expect(source.produced - taken <= 10 * (UploadQueue.capacity + 1))
      if fill == .ended { break }
      if fill == .starved { await Task.yield() }
    }
    try await writing.value
    #expect(taken == 1000)
    #expect(queue.mostAhead == UploadQueue.capacity)
  }

  @Test func `a source that waits for room hears that nobody sends any more`() async throws {
    _ = queue.append([1])
    _ = queue.append([2])
    let waiting = Task { [queue] in await failure { () throws(NetworkError) in try await queue.waitForRoom() }
    }
    queue.close()
    #expect(await waiting.value?.kind == .cancelled(.task))
    #expect(queue.append([3]).isFull)
  }
}
