import Interception

/// State that the event loop shares with its transfers; it never leaves their thread.
final class LoopRound {
  /// A transfer that was sent over the connection of a local port, and the previous port if it was sent
  /// before.
  typealias Departure = (id: TransferID, previous: Int?, port: Int)
  /// Whether an origin's connections carry several requests at a time.
  typealias Multiplexing = (origin: WebOrigin, isMultiplexed: Bool)

  /// The time, read once per round.
  var now: Duration = .zero
  /// The next time limit of any transfer, or an earlier time.
  private(set) var alarm: Duration?
  let heads: ResponseHeadCache
  let poller: Poller
  let configuration: CurlDispatcher.Configuration
  // Callers whose responses came in this round. They are resumed together: a caller that is resumed alone
  // runs on another thread at once, and that thread would block again before the next response, a microsecond
  // later.
  private var answered: [Submission.Waiter] = []
  private var departures: [Departure] = []
  private var learned: [Multiplexing] = []
  private var latest: Multiplexing?

  init(_ poller: Poller, configuration: CurlDispatcher.Configuration) {
    self.poller = poller
    self.configuration = configuration
    heads = ResponseHeadCache(isEnabled: configuration.cachesResponseHeads)
  }

  // MARK: Time limits

  /// Schedules a check of the time limits.
  func setAlarm(_ deadline: DispatchState.Deadline?) {
    guard let time = deadline?.time else { return }
    alarm = min(time, alarm ?? time)
  }

  func clearAlarm() { alarm = nil }

  // MARK: Responses

  /// Gives a caller its result; ``resumeAnswered()`` resumes the caller.
  func answer(_ submission: Submission, _ result: Result<Response, NetworkError>) {
    if let waiter = submission.give(result) { answered.append(waiter) }
  }

  func resumeAnswered() {
    guard !answered.isEmpty else { return }
    for waiter in answered { waiter.resume() }
    answered.removeAll(keepingCapacity: true)
  }

  // MARK: News of connections

  func recordDeparture(_ id: TransferID, from previous: Int?, to port: Int) {
    departures.append((id, previous, port))
  }

  /// Returns the departures since the last call.
  func takeDepartures() -> [Departure] { Self.take(&departures) }

  func learn(_ origin: WebOrigin, isMultiplexed: Bool) {
    if let latest, latest.isMultiplexed == isMultiplexed, latest.origin == origin { return }
    latest = (origin, isMultiplexed)
    learned.append((origin, isMultiplexed))
  }

  /// Returns what was learned since the last call.
  func takeLearned() -> [Multiplexing] { Self.take(&learned) }

  private static func take<Element>(_ list: inout [Element]) -> [Element] {
    guard !list.isEmpty else { return [] }
    defer { list = [] }
    return list
  }
}
