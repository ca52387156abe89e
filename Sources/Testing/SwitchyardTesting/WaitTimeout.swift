/// What a test waited for did not happen in time.
public struct WaitTimeout: Error, CustomStringConvertible {
  /// What the test waited for, such as "the queue is empty".
  package let awaited: String
  /// The maximum duration of the wait.
  package let limit: Duration
  /// The file and line of the wait, such as `QueueTests/UploadTests.swift:41`.
  package let place: String

  /// The place, what was awaited and how long.
  public var description: String { "\(place): waited \(limit) in vain until \(awaited)" }

  init(_ awaited: String, _ limit: Duration, _ fileID: String, _ line: Int) {
    (self.awaited, self.limit, place) = (awaited, limit, "\(fileID):\(line)")
  }
}

/// Suspends until a condition is true that no event announces, looking at it again and again.
///
/// Where an event announces it, await that event instead: a ``TestClock``'s sleepers, a stream, the value of
/// a task.
///
/// ```swift
/// let dispatcher = ScriptedDispatcher()
/// // The code under test sends a request in a task of its own.
/// try await waitUntil("a request was sent") { dispatcher.requests.count == 1 }
/// ```
///
/// - Parameters:
///   - state: What the condition means, for the error's text.
///   - limit: The maximum duration of the wait, in real time.
/// - Throws: ``WaitTimeout`` at the limit, `CancellationError` if the task is cancelled, and what the
///   condition throws.
public func waitUntil(
  _ state: String, within limit: Duration = .seconds(20), fileID: String = #fileID, line: Int = #line,
  _ isReached: () async throws -> Bool
) async throws {
  let start = ContinuousClock.now
  var looks = 0
  while try await !isReached() {
    try Task.checkCancellation()
    guard start.duration(to: .now) < limit else { throw WaitTimeout(state, limit, fileID, line) }
    looks += 1
    // What takes longer than that needs the processor more than the next look does.
    if looks < 1000 { await Task.yield() } else { try await Task.sleep(for: .milliseconds(1)) }
  }
}
