import Foundation

/// What a soak has counted: the messages of all runs of the app, and what the server has recorded.
struct SoakTally {
  private(set) var screens = 0
  private(set) var right = 0
  /// The steps that failed with an error that the faults explain, by its label.
  private(set) var failed: [String: Int] = [:]
  private(set) var wrong: [String] = []
  /// Steps that had begun shortly before the app was killed.
  private(set) var cutOff = 0
  /// Steps that had not ended although the app ended by itself, or was killed long after they began.
  private(set) var lost = 0
  private(set) var promised: Set<Int> = []
  /// Those of them that were to wait for the network.
  private(set) var waiting = 0
  /// The last count that the app's own data had acknowledged.
  private(set) var kept = 0
  private(set) var refused: [String] = []
  /// The number of applied deployment documents, and the highest version.
  private(set) var deployments = 0
  private var deployed: UInt64 = 0
  private(set) var remains: SoakMessage.Remains?
  private(set) var lives = 0
  private var milliseconds: [Double] = []
  /// When the steps that have not ended began.
  private var open: [Int: ContinuousClock.Instant] = [:]
  /// The requests of earlier runs, and those of the present one by user.
  private var earlierRequests = 0
  private var requests: [Int: Int] = [:]
  /// What the faults were, by name.
  private var faults: [String: Int] = [:]
  var peakKibibytes = 0
  /// The homes that the server has recorded as favourites.
  var recorded: Set<Int> = []

  /// The time after which a step that has not ended counts as lost: the app waits at most 10 s for a
  /// connection and 20 s in silence.
  static let patience = Duration.seconds(30)

  /// The number of steps that have ended.
  var steps: Int { right + explained + wrong.count }

  private var explained: Int { failed.values.reduce(0, +) }

  /// The favourites that were promised, were not refused, and never reached the server.
  var missing: [Int] { promised.subtracting(recorded).sorted() }

  mutating func take(_ message: SoakMessage, at now: ContinuousClock.Instant) {
    switch message {
    case .began(let step): open[step] = now
    case .ended(let step, let ending, let time, let user, let sent, let isScreen):
      guard open.removeValue(forKey: step) != nil else { return wrong.append("step \(step) ended twice") }
      milliseconds.append(time)
      requests[user] = sent
      if isScreen { screens += 1 }
      switch ending {
      case .right: right += 1
      case .failed(let label): failed[label, default: 0] += 1
      case .wrong(let reason): wrong.append(reason)
      }
    case .promised(let home, let waits):
      promised.insert(home)
      if waits { waiting += 1 }
    case .kept(let count): kept = count
    case .found(let count):
      // One more may have been kept when the app was killed.
      if count != kept, count != kept + 1 {
        wrong.append("kept \(kept) in the app's data, but found \(count)")
      }
      kept = count
    case .refused(let line): refused.append(line)
    case .deployed(let version):
      deployments += 1
      deployed = max(deployed, version)
    case .startedWith(let version, let isHeldBack):
      if version < deployed, !isHeldBack {
        wrong.append("the app started with deployment \(version) instead of \(deployed)")
      }
    case .left(let remains): self.remains = remains
    }
  }

  mutating func note(_ fault: String) { faults[fault, default: 0] += 1 }

  mutating func beginLife() { lives += 1 }

  /// Records that a run of the app has ended.
  mutating func endLife(killed: Bool, at now: ContinuousClock.Instant) {
    let recent = killed ? open.values.count { now - $0 < Self.patience } : 0
    cutOff += recent
    lost += open.count - recent
    open = [:]
    earlierRequests += requests.values.reduce(0, +)
    requests = [:]
  }

  /// Why the soak has failed; empty if it has not.
  var complaints: [String] {
    var complaints: [String] = []
    if lost > 0 { complaints.append("\(lost) steps never ended") }
    complaints += wrong.prefix(10).map { "wrong: \($0)" }
    if wrong.count > 10 { complaints.append("and \(wrong.count - 10) more were wrong") }
    // Faults may make steps fail, but what they leave must suffice to show that the rest is right.
    if right * 3 < steps { complaints.append("only \(right) of \(steps) steps were right") }
    if promised.isEmpty { complaints.append("no favourite was promised") }
    if !missing.isEmpty { complaints.append("promised favourites never reached the server: \(missing)") }
    complaints += refused.prefix(5).map { "refused: \($0)" }
    guard let remains else { return complaints + ["the last run of the app did not end by itself"] }
    if remains.waiting > 0 { complaints.append("\(remains.waiting) changes still wait") }
    if !remains.actions.hasPrefix("Actions: 0 waiting, ") || !remains.actions.hasSuffix(" 0 lost") {
      complaints.append("not all actions were uploaded: \(remains.actions)")
    }
    if remains.threads > 0 { complaints.append("\(remains.threads) threads are left") }
    if remains.descriptors > 0 { complaints.append("\(remains.descriptors) descriptors are left") }
    if remains.apps > 0 { complaints.append("\(remains.apps) apps were not released") }
    return complaints
  }

  /// The result as lines of two columns.
  var table: [String] {
    let sent = earlierRequests + requests.values.reduce(0, +)
    let left = remains.map {
      "\($0.threads) threads, \($0.descriptors) descriptors, \($0.apps) apps, \($0.kibibytes / 1_024) MiB"
    }
    let rows: [(String, String)] = [
      ("runs of the app", "\(lives)"),
      ("faults", Self.list(faults)),
      ("requests", "\(sent)"), ("steps", "\(steps), of which \(screens) screens opened and closed"),
      ("answered once", "\(steps): \(right) as the listings say, \(explained) with an error of the faults"),
      ("these errors", Self.list(failed)),
      ("cut off by a kill", "\(cutOff)"), ("lost", "\(lost)"), ("wrong", "\(wrong.count)"),
      (
        "promised favourites",
        "\(promised.count), of which \(waiting) waited for the network and \(missing.count) never arrived"
      ),
      ("deployments", "\(deployments)"), ("counts kept in the app's own data", "\(kept)"),
      ("the user's actions", remains?.actions ?? "unknown"), ("left at the end", left ?? "unknown"),
      ("peak memory", "\(peakKibibytes / 1_024) MiB"),
      ("a step took", "p50 \(percentile(50)) ms, p99 \(percentile(99)) ms"),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { $0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $1 }
  }

  private static func list(_ counts: [String: Int]) -> String {
    counts.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")
  }

  private func percentile(_ percent: Int) -> String {
    guard !milliseconds.isEmpty else { return "–" }
    let sorted = milliseconds.sorted()
    return String(format: "%.1f", sorted[min(sorted.count - 1, sorted.count * percent / 100)])
  }
}
