import Interception

/// Decides which requests run, wait or are refused; a value without a clock and without I/O.
///
/// `ID` identifies a request. Call ``leave(_:)`` once for each request that was admitted or queued, when it
/// ends or stops waiting.
struct AdmissionQueue<ID: Hashable> {
  /// The decision about a request.
  enum Verdict: Hashable {
    case runs
    case waits
    case isRefused
    case isClosed
  }

  private struct Waiting {
    let id: ID
    let origin: String
    let rank: Duration
  }

  private let limits: URLSessionDispatcher.Limits
  private var running: [ID: String] = [:]
  private var perOrigin: [String: Int] = [:]
  // Sorted by rank.
  private var waiting: [Waiting] = []
  private(set) var isClosed = false

  init(limits: URLSessionDispatcher.Limits) { self.limits = limits }

  var runningCount: Int { running.count }
  var waitingCount: Int { waiting.count }

  /// Requests admission.
  mutating func enter(_ id: ID, origin: String, priority: RequestOptions.Priority, at now: Duration)
    -> Verdict
  {
    guard !isClosed else { return .isClosed }
    if hasRoom(origin) {
      start(id, origin)
      return .runs
    }
    guard waiting.count < limits.queue else { return .isRefused }
    let rank = now - limits.ageing * Self.doublings(priority.weight)
    let place = waiting.firstIndex { $0.rank > rank } ?? waiting.endIndex
    waiting.insert(Waiting(id: id, origin: origin, rank: rank), at: place)
    return .waits
  }

  /// Removes a request that ended or stopped waiting; returns the requests that may now run.
  mutating func leave(_ id: ID) -> [ID] {
    if let origin = running.removeValue(forKey: id) {
      let count = perOrigin[origin, default: 1] - 1
      perOrigin[origin] = count > 0 ? count : nil
    } else {
      waiting.removeAll { $0.id == id }
    }
    return startWaiting()
  }

  /// Stops admitting requests; returns those that were waiting.
  mutating func close() -> [ID] {
    isClosed = true
    defer { waiting = [] }
    return waiting.map(\.id)
  }

  private func hasRoom(_ origin: String) -> Bool {
    running.count < limits.total && perOrigin[origin, default: 0] < limits.perOrigin
  }

  private mutating func start(_ id: ID, _ origin: String) {
    running[id] = origin
    perOrigin[origin, default: 0] += 1
  }

  private mutating func startWaiting() -> [ID] {
    var started: [ID] = []
    while let place = waiting.firstIndex(where: { hasRoom($0.origin) }) {
      let next = waiting.remove(at: place)
      start(next.id, next.origin)
      started.append(next.id)
    }
    return started
  }

  /// Returns the binary logarithm of a weight, with linear interpolation between powers of two.
  private static func doublings(_ weight: Int) -> Double {
    let whole = Int.bitWidth - 1 - max(weight, 1).leadingZeroBitCount
    return Double(whole) + Double(weight) / Double(1 << whole) - 1
  }
}
