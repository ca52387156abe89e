import Foundation

/// What a soak has counted: the messages of all runs of the app, and what the server has recorded.
struct SoakTally {
  private(set) var screens = 0
  private(set) var right = 0
  private(set) var failed = 0
  private(set) var wrong: [String] = []
  /// Steps that had begun and not ended when the app was killed.
  private(set) var cutOff = 0
  /// Steps that had not ended although the app ended by itself.
  private(set) var lost = 0
  private(set) var promised: Set<Int> = []
  private(set) var refused: [String] = []
  private(set) var remains: SoakMessage.Remains?
  private(set) var lives = 0
  private var milliseconds: [Double] = []
  private var open: Set<Int> = []
  /// The requests of earlier runs, and those of the present one by user.
  private var earlierRequests = 0
  private var requests: [Int: Int] = [:]
  /// What the faults were, by name.
  private var faults: [String: Int] = [:]
  var peakKibibytes = 0
  /// The homes that the server has recorded as favourites.
  var recorded: Set<Int> = []

  /// The number of steps that have ended.
  var steps: Int { right + failed + wrong.count }

  /// The favourites that were promised, were not refused, and never reached the server.
  var missing: [Int] { promised.subtracting(recorded).sorted() }

  mutating func take(_ message: SoakMessage) {
    switch message {
    case .began(let step): open.insert(step)
    case .ended(let step, let ending, let time, let user, let sent, let isScreen):
      guard open.remove(step) != nil else { return wrong.append("step \(step) ended twice") }
      milliseconds.append(time)
      requests[user] = sent
      if isScreen { screens += 1 }
      switch ending {
      case .right: right += 1
      case .failed: failed += 1
      case .wrong(let reason): wrong.append(reason)
      }
    case .promised(let home): promised.insert(home)
    case .refused(let line): refused.append(line)
    case .left(let remains): self.remains = remains
    }
  }

  mutating func note(_ fault: String) { faults[fault, default: 0] += 1 }

  mutating func beginLife() { lives += 1 }

  /// Records that a run of the app has ended.
  mutating func endLife(killed: Bool) {
    if killed { cutOff += open.count } else { lost += open.count }
    open = []
    earlierRequests += requests.values.reduce(0, +)
    requests = [:]
  }

  /// Why the soak has failed; empty if it has not.
  var complaints: [String] {
    var complaints: [String] = []
    if lost > 0 { complaints.append("\(lost) steps never ended") }
    complaints += wrong.prefix(10).map { "wrong: \($0)" }
    if wrong.count > 10 { complaints.append("and \(wrong.count - 10) more were wrong") }
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
      ("faults", faults.sorted { $0.key < $1.key }.map { "\($0.value) × \($0.key)" }.joined(separator: ", ")),
      ("requests", "\(sent)"), ("steps", "\(steps), of which \(screens) screens opened and closed"),
      ("answered once", "\(steps): \(right) as the listings say, \(failed) with an error of the faults"),
      ("cut off by a kill", "\(cutOff)"), ("lost", "\(lost)"), ("wrong", "\(wrong.count)"),
      ("promised favourites", "\(promised.count), of which \(missing.count) never arrived"),
      ("the user's actions", remains?.actions ?? "unknown"), ("left at the end", left ?? "unknown"),
      ("peak memory", "\(peakKibibytes / 1_024) MiB"),
      ("a step took", "p50 \(percentile(50)) ms, p99 \(percentile(99)) ms"),
    ]
    let width = rows.map(\.0.count).max() ?? 0
    return rows.map { $0.padding(toLength: width + 2, withPad: " ", startingAt: 0) + $1 }
  }

  private func percentile(_ percent: Int) -> String {
    guard !milliseconds.isEmpty else { return "–" }
    let sorted = milliseconds.sorted()
    return String(format: "%.1f", sorted[min(sorted.count - 1, sorted.count * percent / 100)])
  }
}
