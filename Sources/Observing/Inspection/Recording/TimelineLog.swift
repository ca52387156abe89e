import Interception
import RequestLogging
import Synchronization

extension Inspector {
  /// What a note on the time line is about.
  public enum Subject: Sendable, Hashable {
    /// A route that was opened, answered, redirected or refused.
    case route
    /// The verdict of a guard.
    case `guard`
    /// A provider or a route's body that was created or released.
    case module
    /// An event of the app's life cycle.
    case lifecycle
    /// A request that waits for the network, or was delivered.
    case mutation
    /// An action of the user that was recorded.
    case action
    /// A change of the network.
    case network
    /// A login, a refreshed token or a logout.
    case authorization
    /// A deployment document that was received, applied, confirmed or held back.
    case deployment
    /// Anything else.
    case note
  }

  /// How a note is colored.
  public enum Tone: Sendable, Hashable {
    /// It is as usual.
    case plain
    /// Something succeeded that could have failed.
    case good
    /// Something deserves attention.
    case warning
    /// Something failed.
    case bad
  }
}

/// A note on the time line.
struct TimelineNote: Sendable {
  /// The maximum length of a title and of a detail, in bytes.
  private static let lengthLimit = 2_048

  let sequence: Int
  let time: WallTime
  let subject: Inspector.Subject
  let title: String
  let detail: String
  let tone: Inspector.Tone

  init(
    _ title: String, _ detail: String, _ subject: Inspector.Subject, _ tone: Inspector.Tone, sequence: Int,
    time: WallTime
  ) {
    (self.sequence, self.time, self.subject, self.tone) = (sequence, time, subject, tone)
    self.title = Self.limited(title)
    self.detail = Self.limited(detail)
  }

  var json: JSONValue {
    .object([
      ("seq", .count(sequence)), ("time", .seconds(time)),
      ("kind", .text(subject == .lifecycle ? "life-cycle" : "\(subject)")), ("title", .text(title)),
      ("detail", .text(detail)), ("tone", .text(tone == .warning ? "warn" : "\(tone)")),
    ])
  }

  private static func limited(_ text: String) -> String {
    text.utf8.count <= lengthLimit
      ? text : String(decoding: text.utf8.prefix(lengthLimit), as: UTF8.self) + "…"
  }
}

/// The last notes, and the patterns of the routes that were opened.
final class TimelineLog: Sendable {
  /// The maximum number of notes.
  static let capacity = 2_000

  private struct State {
    /// At most twice the capacity, so that the oldest are moved out in groups.
    var notes: [TimelineNote] = []
    var openedRoutes: Set<String> = []
    /// Draws the routes, with the opened ones marked.
    var draw: (@Sendable (Set<String>) -> String)?
  }

  private let state = Mutex(State())
  private let changes: ChangeCount<CallRing<RecordedCall>>
  private let time: TimeSource

  init(changes: ChangeCount<CallRing<RecordedCall>>, time: TimeSource) {
    self.changes = changes
    self.time = time
  }

  /// The notes after a change, oldest first.
  func notes(after sequence: Int) -> [TimelineNote] {
    state.withLock { $0.notes.suffix(Self.capacity).filter { $0.sequence > sequence } }
  }

  /// Whether the app's routes can be drawn.
  var hasRouteDrawing: Bool { state.withLock { $0.draw != nil } }

  /// The app's routes as SVG, with those marked that were opened.
  var routeDrawing: String? {
    let (draw, opened) = state.withLock { ($0.draw, $0.openedRoutes) }
    return draw?(opened)
  }

  func drawRoutes(by draw: @escaping @Sendable (Set<String>) -> String) {
    state.withLock { $0.draw = draw }
    changes.note()
  }

  func add(_ title: String, _ detail: String, _ subject: Inspector.Subject, _ tone: Inspector.Tone) {
    let now = time.wallTime()
    changes.note { sequence in
      let note = TimelineNote(title, detail, subject, tone, sequence: sequence, time: now)
      state.withLock { state in
        state.notes.append(note)
        if state.notes.count >= 2 * Self.capacity { state.notes.removeFirst(Self.capacity) }
      }
    }
  }

  func noteOpened(_ pattern: String) {
    state.withLock { state in
      // The app's routes are few, but nothing says so here.
      if state.openedRoutes.count < Self.capacity { state.openedRoutes.insert(pattern) }
    }
  }

  func removeAll() { state.withLock { $0.notes = [] } }
}
