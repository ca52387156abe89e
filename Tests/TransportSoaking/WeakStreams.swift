import Interception
import Synchronization

/// Weak references to response streams, which must be freed when they are no longer read.
final class WeakStreams: Sendable {
  private struct Entry {
    weak var stream: BodyStream?
  }

  private let entries = Mutex<[Entry]>([])

  func append(_ stream: BodyStream) { entries.withLock { $0.append(Entry(stream: stream)) } }

  /// The number of living streams.
  func living() -> Int {
    entries.withLock { entries in
      entries.removeAll { $0.stream == nil }
      return entries.count
    }
  }
}
