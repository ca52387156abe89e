import Interception
import Synchronization

/// Answers' streams that should be gone once nobody reads them.
final class WeakStreams: Sendable {
  private struct Entry {
    weak var stream: BodyStream?
  }

  private let entries = Mutex<[Entry]>([])

  func append(_ stream: BodyStream) { entries.withLock { $0.append(Entry(stream: stream)) } }

  /// How many are still alive; those that are gone are forgotten.
  func living() -> Int {
    entries.withLock { entries in
      entries.removeAll { $0.stream == nil }
      return entries.count
    }
  }
}
