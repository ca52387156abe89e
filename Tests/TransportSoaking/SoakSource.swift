import Interception
import Synchronization

/// A request body that counts how many of its kind are alive, and may break.
final class SoakSource: ByteSource {
  /// How many are alive.
  final class Living: Sendable {
    private let count = Atomic(0)

    var value: Int { count.load(ordering: .acquiring) }

    func add(_ change: Int) { count.add(change, ordering: .acquiringAndReleasing) }
  }

  private let living: Living
  private let bytes: [UInt8]
  private let breaksAt: Int?
  private let place = Mutex(0)

  init(_ bytes: [UInt8], breaksAt: Int? = nil, living: Living) {
    self.bytes = bytes
    self.breaksAt = breaksAt
    self.living = living
    living.add(1)
  }

  deinit { living.add(-1) }

  func read() async throws(NetworkError) -> [UInt8]? {
    await Task.yield()
    let start = place.withLock { place in
      defer { place = min(place + 20_000, bytes.count) }
      return place
    }
    if let breaksAt, start >= breaksAt { throw NetworkError(.rejected, "The source broke, as it was told.") }
    guard start < bytes.count else { return nil }
    return Array(bytes[start..<min(start + 20_000, bytes.count)])
  }

  func cancel() {}
}
