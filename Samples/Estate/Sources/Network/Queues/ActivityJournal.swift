import ActivityReporting
import Switchyard
import Synchronization

/// Records what the user does in a file, from which it is uploaded in batches.
///
/// The log itself is `ActivityLog`. The journal has what an app adds: it records from code that can't wait,
/// in the order of the calls, and says in lines how the log is.
package final class ActivityJournal: RecordedActions {
  private struct State {
    /// The last recording, which waits for the one before.
    var last: Task<Void, Never>?
    var isClosed = false
    /// Tells the log whether there is a network.
    var following: Task<Void, Never>?
  }

  private let log: ActivityLog
  private let network: ReachabilityState
  private let report: @Sendable (String) -> Void
  private let state = Mutex(State())

  /// Opens the journal of a file, and creates the file if it doesn't exist.
  ///
  /// - Parameter report: Receives a sentence about each action that can't be recorded, and about a damaged
  ///   file.
  /// - Throws: `QueueError`, for example if another app has the file open.
  package init(
    path: String, network: NetworkStack, report: @escaping @Sendable (String) -> Void
  ) throws {
    let endpoint = ActivityUploadAPI.endpoint
    let request = try endpoint.request(
      for: NoParams(), at: network.switches.environments.address(of: endpoint.service))
    // Uploads have the credentials of no account, and the server doesn't ask whose actions they are.
    log = try ActivityLog(path: path, uploading: ActivityUpload(request), over: network.uploads) { "" }
    self.report = report
    self.network = network.switches.network
    if let damaged = log.damagedFile { report("The log of actions was damaged, and is now \(damaged).") }
  }

  deinit { state.withLock { $0.following }?.cancel() }

  /// Begins to upload, first of all what an earlier run has left, while there is a network.
  package func start() {
    log.networkDidChange(isAvailable: network.status != .offline)
    log.start()
    state.withLock { state in
      guard state.following == nil else { return }
      state.following = Task { [log, statuses = network.changes] in
        for await status in statuses { log.networkDidChange(isAvailable: status != .offline) }
      }
    }
  }

  /// Records an action with texts that describe it; none of them may be private.
  ///
  /// - Parameter milliseconds: How long the action took; nil if it took no time.
  package func record(_ name: String, _ attributes: [String: String] = [:], milliseconds: Int64? = nil) {
    var values = attributes.mapValues { ActivityEvent.Value.string($0) }
    values["milliseconds"] = milliseconds.map { .integer($0) }
    let event = ActivityEvent(name, values)
    state.withLock { state in
      guard !state.isClosed else { return }
      state.last = Task { [earlier = state.last, log, report] in
        await earlier?.value
        do {
          try await log.record(event)
        } catch {
          report("An action was not recorded: \(error)")
        }
      }
    }
  }

  @discardableResult package func flush() async -> Bool {
    await state.withLock { $0.last }?.value
    return await log.flush()
  }

  /// Closes the file once it has all that was recorded; later actions are not recorded.
  package func close() async {
    let last = state.withLock { state in
      state.isClosed = true
      return state.last
    }
    await last?.value
    await log.close()
  }

  /// The state of the log in lines.
  package var lines: [String] {
    let stats = log.stats
    let counts =
      "Actions: \(stats.waitingCount) waiting, \(stats.deliveredCount) delivered, "
      + "\(stats.setAsideCount) set aside, \(stats.lost.total) lost"
    return [counts, "Next upload: " + Self.nextUpload(stats, now: TimeSource.system.wallTime())]
  }

  private static func nextUpload(_ stats: ActivityStats, now: WallTime) -> String {
    if let next = stats.nextUpload, now < next {
      let seconds = now.duration(to: next).components.seconds + 1
      return "within \(seconds) s, because the last one failed (\(stats.lastFailure ?? "before the restart"))"
    }
    return stats.waitingCount == 0 ? "none" : "when 30 wait, after 60 s, or at the end of the app"
  }
}

/// Reports the user's actions in batches; the log of actions sends it.
struct ActivityUploadAPI: API {
  static let endpoint = {
    var endpoint = Endpoint<NoParams>(.estate, "activity.add", method: .post, path: "/activity").compressed
    // The end of the app waits for the last upload.
    endpoint.options.timeouts.whole = .seconds(5)
    return endpoint
  }()
}
