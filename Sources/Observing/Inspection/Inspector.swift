public import Interception
public import RequestLogging
import Synchronization

/// Records the calls of an app's pipelines, and shows them on a page for a browser on the same machine.
///
/// ```swift
/// let inspector = Inspector(app: "Estate")
/// let pipeline = try Pipeline.standard(over: dispatcher, observers: [inspector])
/// let page = try await inspector.serve()
/// print("The inspector is at \(page)")
/// ```
///
/// It keeps the last calls with their steps, attempts, header fields and the beginning of each body, in
/// memory that is bounded by bytes; what is added makes room by removing the oldest calls. Nothing is served
/// until ``serve(port:token:inRelease:)`` is called, and everything that is served, also an archive and a
/// command line, is redacted.
///
/// As an observer of routes it also keeps what was opened, guarded and created;
/// ``note(_:detail:about:tone:)`` adds what else belongs on the time line.
public final class Inspector: PipelineObserver {
  let app: String
  let shown: ShownText
  let log: CallLog
  let timeline: TimelineLog
  let time: TimeSource
  let alwaysRecordsSteps: Bool
  /// Names this start of the app.
  let run = "r" + String(UInt64.random(in: .min ... .max), radix: 36)
  let serving = Mutex(Serving())
  let replaying: Replaying
  let circuits = WatchedCircuits()
  let intervening: Intervening

  /// Creates an inspector that has recorded nothing.
  ///
  /// - Parameters:
  ///   - app: The name of the app, which the page shows.
  ///   - byteLimit: The maximum size of the kept calls, in bytes.
  ///   - redaction: What may be shown; values of header fields, queries, forms and JSON that it doesn't list
  ///     are hidden.
  ///   - showsOtherBodies: Whether bodies are shown in which no value can be redacted by its name: other
  ///     texts, and images.
  ///   - alwaysRecordsSteps: Whether the interceptors' own times are recorded also while no page is open.
  ///     They are most of what recording costs.
  ///   - time: The clock that dates the notes.
  public init(
    app: String, byteLimit: Int = 16 << 20, redaction: Redaction = Redaction(),
    showsOtherBodies: Bool = false, alwaysRecordsSteps: Bool = false, time: TimeSource = .system
  ) {
    self.app = app
    self.alwaysRecordsSteps = alwaysRecordsSteps
    self.time = time
    shown = ShownText(redaction: redaction, showsOtherBodies: showsOtherBodies)
    log = CallLog(byteLimit: byteLimit, bodyLimit: min(256 << 10, max(1, byteLimit / 4)))
    timeline = TimelineLog(changes: log.changes, time: time)
    replaying = Replaying()
    let changes = log.changes
    intervening = Intervening(
      changes: changes, calls: PausedCalls(time: time, noteChange: { changes.note() }))
  }

  deinit {
    serving.withLock { $0.removeAll() }.forEach { $0.stop() }
    replaying.cancelAll()
    intervening.calls.serve(false)
    log.endKeeping()
    // The calls refer to the log.
    log.releaseAll()
  }

  /// Receives nothing: each call has a recorder of its own.
  public func observe(_ event: PipelineEvent) {}

  /// Adds a note to the time line.
  ///
  /// It is shown as it is, so it must contain no secret.
  ///
  /// - Parameters:
  ///   - title: What happened, in one line.
  ///   - detail: What else is known of it.
  ///   - subject: What the note is about.
  ///   - tone: How it is colored.
  public func note(
    _ title: String, detail: String = "", about subject: Subject = .note, tone: Tone = .plain
  ) {
    timeline.add(title, detail, subject, tone)
  }

  /// Returns the kept calls as an HTTP Archive (HAR 1.2), redacted: JSON in UTF-8.
  ///
  /// - Parameter partition: Only the calls of this account, as in `RequestContext.partition`; nil for all.
  public func archive(of partition: String? = nil) -> [UInt8] {
    let records = log.calls.map(\.current).filter { partition == nil || $0.partition == partition }
    return CallArchive(app: app, shown: shown).document(of: records, omittedCount: log.usage.evicted)
  }

  /// Removes all calls and notes, also those in the file for calls.
  public func removeAll() {
    timeline.removeAll()
    // Notes the change of both.
    log.removeAll()
  }
}

extension Inspector: CallObserver {
  package func recorder(
    of request: Request, at time: Duration, by clock: TimeSource
  ) -> (any CallRecorder)? {
    let record = CallRecord(
      request, id: replaying.id(of: request.id) ?? log.nextID(), startedAt: clock.wallTime(), at: time,
      keepingUpTo: log.bodyLimit)
    return log.add(record, recordsSteps: alwaysRecordsSteps || log.changes.isWatched)
  }

  package func note(_ circuits: [any CircuitReporter]) { self.circuits.add(circuits) }
}

#if SQLite
extension Inspector {
  /// Keeps the calls also in an SQLite file, from which the page shows them after a restart of the app.
  ///
  /// A call is written soon after it has ended, as the page shows it: nothing that the page hides is in the
  /// file. No call waits for the disk. If the disk is slow, the calls that would wait in more than 4 MiB of
  /// memory are not written; the page says how many. Calls that run when the process ends are lost.
  ///
  /// A damaged file is moved away, with what can be read of it copied to a new one. If the file can't be
  /// written later, because the disk is full for example, the page says so, and the app works on.
  ///
  /// The file is readable by its owner only, has the calls of all accounts, and is emptied by
  /// ``removeAll()``. ``stop()`` returns when the calls that have ended are written.
  ///
  /// - Parameters:
  ///   - path: The file, in a folder that exists. One inspector at a time has it open.
  ///   - byteLimit: The maximum size of the file, in bytes. The oldest calls make room for others.
  /// - Throws: ``InspectorError``: the file can't be used, or calls were recorded before. The inspector then
  ///   works without it. This blocks the calling thread while the file is opened.
  public func keepCalls(in path: String, byteLimit: Int = 64 << 20) throws(InspectorError) {
    guard log.canKeep else { throw InspectorError(.fileNamedTooLate) }
    let changes = log.changes
    let file = try CallFile(
      path, byteLimit: byteLimit, app: app, shown: shown, time: time, noteChange: { changes.note() })
    guard log.keep(by: file) else { throw InspectorError(.fileNamedTooLate) }
    if let damaged = file.damagedFile {
      note(
        "The file of calls was damaged", detail: "It was moved to \"\(damaged)\", and a new one begun.",
        tone: .warning)
    }
  }
}
#else
// What the compiler says without the trait, instead of "has no member".
extension Inspector {
  /// Needs the trait SQLite.
  @available(
    *, unavailable, message: "add traits: [\"SQLite\"] to the dependency on Switchyard in Package.swift"
  )
  public func keepCalls(in path: String, byteLimit: Int = 64 << 20) throws(InspectorError) {}
}
#endif
