import Interception

/// State that the event loop and its transfers share while libcurl runs; it never leaves their thread.
final class LoopRound {
  /// A transfer that left over the connection of a local port, and the previous port if it was sent again.
  typealias Departure = (id: TransferID, previous: Int?, port: Int)
  /// Whether an origin's connections carry several requests at a time.
  typealias Multiplexing = (origin: WebOrigin, isMultiplexed: Bool)

  /// The time, read once per round.
  var now: Duration = .zero
  /// The next time limit of any transfer, or a moment before it.
  private(set) var alarm: Duration?
  /// Response heads that were parsed before.
  let heads: ResponseHeadCache
  /// Waits for the sockets.
  let poller: Poller
  /// What the dispatcher was created with.
  let configuration: CurlDispatcher.Configuration
  // Callers whose responses came in this round. They are resumed together: a caller that is resumed alone
  // runs on another thread at once, and that thread would be asleep again when the next response comes a
  // microsecond later.
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

  /// Has the limits checked at a deadline at the latest.
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

  /// Resumes the callers whose responses came.
  func resumeAnswered() {
    guard !answered.isEmpty else { return }
    for waiter in answered { waiter.resume() }
    answered.removeAll(keepingCapacity: true)
  }

  // MARK: News of connections

  /// Records that a transfer left over the connection of a local port.
  func recordDeparture(_ id: TransferID, from previous: Int?, to port: Int) {
    departures.append((id, previous, port))
  }

  /// Returns the departures since the last call.
  func takeDepartures() -> [Departure] { Self.take(&departures) }

  /// Records whether an origin's connections carry several requests at a time.
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
