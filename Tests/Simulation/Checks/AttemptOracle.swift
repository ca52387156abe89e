import Interception

/// Decides whether the attempts of one life at one origin stay within its budget and its circuit breaker,
/// from when they began and how they ended.
struct AttemptOracle {
  /// The limits with which histories are run: small, so that they are reached.
  static let budgetCapacity = 3
  static let depositPerSuccess = 0.1
  static let refillInterval = Duration.seconds(10)
  static let failureLimit = 3
  static let pause = Duration.seconds(30)

  /// How an attempt has ended, as far as it concerns the origin.
  enum Ending { case response, noConnection, unsent, other }

  /// When retries took a token, and when responses may have returned a part of one.
  private var withdrawals: [Moment] = []
  private var deposits: [Moment] = []
  /// The attempts without a connection since the last other one.
  private var failures = 0
  private var known: Set<String> = []
  private var lastTrial: Moment?
  private var lastEnds: [RequestID: (moment: Moment, ending: Ending)] = [:]

  /// An attempt of a request has ended.
  mutating func ended(_ id: RequestID, _ ending: Ending, at moment: Moment) {
    lastEnds[id] = (moment, ending)
    if ending == .response { deposits.append(moment) }
    switch ending {
    case .noConnection: failures += 1
    // It concerns the network, or the server of tokens; the next attempt is a trial, too.
    case .unsent: lastTrial = nil
    case .response, .other: (failures, lastTrial) = (0, nil)
    }
  }

  /// An attempt connects to the origin; returns why it should not.
  mutating func connects(_ id: RequestID, attempt: Int, at moment: Moment) -> String? {
    guard known.insert("\(id) \(attempt)").inserted else { return nil }
    // Without a network an attempt costs nothing.
    if attempt > 1, let last = lastEnds[id], last.ending != .unsent { withdrawals.append(last.moment) }
    guard failures >= Self.failureLimit else { return nil }
    defer { lastTrial = moment }
    guard let lastTrial, moment.time < lastTrial.time + Self.pause else { return nil }
    return "it was sent although the circuit is open since \(failures) failures, and \(lastTrial) had a trial"
  }

  /// Returns why the retries were too many; nil if they weren't.
  func budgetFault() -> String? {
    let moments = withdrawals.sorted()
    for (first, begin) in moments.enumerated() {
      for last in (first + Self.budgetCapacity)..<max(moments.count, first + Self.budgetCapacity) {
        let (end, count) = (moments[last], last - first + 1)
        let returned = Double(deposits.count { $0 > begin && $0 < end }) * Self.depositPerSuccess
        let refilled = (end.time - begin.time) / Self.refillInterval
        let allowed = Double(Self.budgetCapacity) + returned + refilled
        if Double(count) > allowed + 0.001 {
          return "\(count) retries between \(begin) and \(end), where the budget allows \(allowed)"
        }
      }
    }
    return nil
  }
}
