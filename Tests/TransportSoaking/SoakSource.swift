import Interception
import Synchronization

/// A request body that may fail; living instances are counted.
final class SoakSource: ByteSource {
  /// The number of living instances.
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
    if let breaksAt, start >= breaksAt { throw NetworkError(.rejected, "The source fails, as planned.") }
    guard start < bytes.count else { return nil }
    return Array(bytes[start..<min(start + 20_000, bytes.count)])
  }

  func cancel() {}
}
