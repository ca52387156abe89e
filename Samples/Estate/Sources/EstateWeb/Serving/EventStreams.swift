import Foundation
import HTTPServing
import Synchronization

/// The streams of events by which open pages follow the app, at most ``limit`` at once.
final class EventStreams: Sendable {
  /// More than a user has in sight: a page that is hidden closes its stream.
  static let limit = 16

  private let changes: ChangeCount
  private let pulse: Duration
  private let open = Mutex(0)

  /// Creates the streams of a count.
  ///
  /// - Parameter pulse: The time without a change after which a stream sends a heartbeat.
  init(_ changes: ChangeCount, pulse: Duration) {
    self.changes = changes
    self.pulse = pulse
  }

  var count: Int { open.withLock { $0 } }

  /// Opens a stream; `nil` if as many are open as may be.
  ///
  /// - Parameters:
  ///   - known: The number of the last change that the page shows.
  ///   - path: Returns the path of the page that the app shows.
  func stream(after known: Int, path: @escaping @MainActor @Sendable () -> String) -> StreamedBody? {
    let isFree = open.withLock { open in
      guard open < Self.limit else { return false }
      open += 1
      return true
    }
    guard isFree else { return nil }
    let stream = EventStream(changes, after: known, pulse: pulse, path: path) { [weak self] in
      self?.open.withLock { $0 -= 1 }
    }
    return StreamedBody { await stream.next() }
  }
}

/// One stream: an event for each change, and a heartbeat while nothing changes.
///
/// It ends with the app. A browser that is gone is noticed when the server sends the next event or heartbeat;
/// the server then releases the stream.
private final class EventStream: Sendable {
  private struct Change: Encodable {
    let version: Int
    let path: String
  }

  /// What the stream begins with: the time after which a browser connects again.
  private static let beginning = Array("retry: 250\n\n".utf8)
  /// A comment, which browsers ignore.
  private static let heartbeat = Array(": \n\n".utf8)

  private let changes: ChangeCount
  private let pulse: Duration
  private let path: @MainActor @Sendable () -> String
  private let onEnd: @Sendable () -> Void
  /// The number of the last change that the page knows; the stream has not begun while `hasBegun` is false.
  private let progress: Mutex<(known: Int, hasBegun: Bool)>

  init(
    _ changes: ChangeCount, after known: Int, pulse: Duration,
    path: @escaping @MainActor @Sendable () -> String, onEnd: @escaping @Sendable () -> Void
  ) {
    (self.changes, self.pulse, self.path, self.onEnd) = (changes, pulse, path, onEnd)
    progress = Mutex((known, false))
  }

  deinit { onEnd() }

  /// Waits for the next change or heartbeat, and returns what to send; `nil` once the app ends.
  ///
  /// Changes that follow each other closely are one event, because a page shows only the last state.
  func next() async -> [UInt8]? {
    let (known, hasBegun) = progress.withLock { progress in
      defer { progress.hasBegun = true }
      return progress
    }
    guard hasBegun else { return Self.beginning }
    guard let change = await change(after: known) else { return nil }
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    guard change.version > known, let json = try? encoder.encode(change) else { return Self.heartbeat }
    progress.withLock { $0.known = change.version }
    return Array("id: \(change.version)\ndata: \(String(decoding: json, as: UTF8.self))\n\n".utf8)
  }

  @MainActor private func change(after known: Int) async -> Change? {
    await changes.wait(after: known, limit: pulse)
    return changes.isClosed ? nil : Change(version: changes.value, path: path())
  }
}
