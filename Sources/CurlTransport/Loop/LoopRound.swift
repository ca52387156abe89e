import Interception

/// State that the event loop shares with its transfers; it never leaves their thread.
final class LoopRound {
  /// A transfer that was sent over the connection of a local port, and any port it used before.
  typealias Departure = (id: TransferID, previous: Int?, port: Int)
  /// Whether an origin's connections carry several requests at a time.
  typealias Multiplexing = (origin: WebOrigin, isMultiplexed: Bool)

  /// The time, read once per round.
  var now: Duration = .zero
  /// The next time limit of any transfer, or an earlier time.
  var alarm: Duration?
  let heads: ResponseHeadCache
  let poller: Poller
  let configuration: CurlDispatcher.Configuration
  // Callers with responses. They are resumed together, so that the thread that runs them does not block in
  // between.
  private var answered: [Submission.Waiter] = []
  private var departures: [Departure] = []
  private var learned: [Multiplexing] = []
  private var latest: Multiplexing?

  init(_ poller: Poller, configuration: CurlDispatcher.Configuration) {
    self.poller = poller
    self.configuration = configuration
    heads = ResponseHeadCache(isEnabled: configuration.cachesResponseHeads)
  }

  /// Schedules a check of the time limits.
  func setAlarm(_ deadline: DispatchState.Deadline?) {
    guard let time = deadline?.time else { return }
    alarm = min(time, alarm ?? time)
  }

  /// Gives a caller its result; ``resumeAnswered()`` resumes the caller.
  func answer(_ submission: Submission, _ result: Result<Response, NetworkError>) {
    if let waiter = submission.give(result) { answered.append(waiter) }
  }

  func resumeAnswered() {
    guard !answered.isEmpty else { return }
    for waiter in answered { waiter.resume() }
    answered.removeAll(keepingCapacity: true)
  }

  func recordDeparture(_ id: TransferID, from previous: Int?, to port: Int) {
    departures.append((id, previous, port))
  }

  func takeDepartures() -> [Departure] { Self.take(&departures) }

  func learn(_ origin: WebOrigin, isMultiplexed: Bool) {
    if let latest, latest.isMultiplexed == isMultiplexed, latest.origin == origin { return }
    latest = (origin, isMultiplexed)
    learned.append((origin, isMultiplexed))
  }

  func takeLearned() -> [Multiplexing] { Self.take(&learned) }

  private static func take<Element>(_ list: inout [Element]) -> [Element] {
    guard !list.isEmpty else { return [] }
    defer { list = [] }
    return list
  }
}
