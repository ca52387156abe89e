import SQLiteStores
import Switchyard

/// The responses that the app keeps: in memory, and in a folder that survives its end.
package final class ResponseCache: MemberResponses {
  /// The limits of which the advice says what each would have been worth, in bytes.
  private static let advisedLimits = [16, 32, 64, 128, 256, 1024].map { $0 << 10 }

  let interceptor: CachingInterceptor
  private let disk: SQLiteResponseStore?
  private let recorder = CacheRecorder(maximumRequests: 10_000)

  /// Creates the cache.
  ///
  /// - Parameters:
  ///   - folder: The path of the folder, which no other app may use; with `nil` the responses end with the
  ///     app.
  ///   - time: The clocks that determine the age of responses.
  init(folder: String?, time: TimeSource, logger: Logger) {
    let disk = folder.map { folder in
      // Logged and never shown: without its folder the app only sends more requests.
      SQLiteResponseStore(directory: folder, limits: SQLiteResponseStore.Limits(bytes: 32 << 20), time: time)
      { fault in logger.warning("\(fault)") }
    }
    interceptor = CachingInterceptor(memory: MemoryStore(), store: disk, time: time, recorder: recorder)
    self.disk = disk
  }

  /// Removes the responses with data that has become stale.
  func remove(_ tags: Set<DataTag>) async { await interceptor.wipe(tags: tags) }

  package func remove(member: String) async { await interceptor.wipe(partition: member) }

  /// Writes what waits for the disk, and releases the folder for another app.
  package func close() async { await disk?.close() }

  /// A table of the hit ratios that this run would have had with other limits and policies, line by line.
  package var adviceLines: [String] {
    let advice = CacheAdvice(recorder.recording, bytes: Self.advisedLimits)
    return "\(advice)".split(separator: "\n").map(String.init)
  }
}
