import Interception

/// What the loop and its transfers tell one another while libcurl runs; it never leaves their thread.
final class LoopBoard {
  /// A transfer that left over the connection of a local port, and the port of the one before, if it left again.
  typealias Departure = (id: TransferID, previous: Int?, port: Int)

  /// The time, read once per round.
  var now: Duration = .zero
  /// The moment at which some transfer's limit is reached, or a moment before.
  private(set) var alarm: Duration?
  /// Which origins answered over connections that carry several requests, and which did not.
  private(set) var learned: [(origin: WebOrigin, isMultiplexed: Bool)] = []
  /// Header lines that answers brought before.
  let fields = FieldCache()
  /// Whole heads that answers brought before.
  let heads = HeadMemory()
  /// Waits for the sockets.
  let poller: Poller
  // Those whose answers came in this round. They are woken together: whoever is woken for one runs on another thread at
  // once, and would be asleep again when the next answer comes a microsecond later.
  private var answered: [Submission.Waiter] = []
  private var departures: [Departure] = []
  private var known: (origin: WebOrigin, isMultiplexed: Bool)?

  /// What the dispatcher was made with; reading a part of it here copies no more than that.
  let configuration: CurlDispatcher.Configuration
  /// How connections are made and kept.
  let connections: ConnectionSettings

  init(_ poller: Poller, configuration: CurlDispatcher.Configuration) {
    self.poller = poller
    self.configuration = configuration
    connections = ConnectionSettings(configuration.connections)
  }

  /// Sees to it that the limits are looked at by then.
  func setAlarm(_ deadline: DispatchState.Deadline?) {
    guard let time = deadline?.time else { return }
    if let alarm, alarm <= time { return }
    alarm = time
  }

  /// Gives an answer; who waits for it is woken by ``wakeAnswered()``.
  func answer(_ submission: Submission, _ result: Result<Response, NetworkError>) {
    guard let waiter = submission.give(result) else { return }
    // Taken out meanwhile, so that no access to it lasts.
    var waiters: [Submission.Waiter] = []
    swap(&waiters, &answered)
    waiters.append(waiter)
    swap(&waiters, &answered)
  }

  /// Wakes those whose answers came.
  func wakeAnswered() {
    guard !answered.isEmpty else { return }
    var waiters: [Submission.Waiter] = []
    swap(&waiters, &answered)
    for waiter in waiters { waiter.resume() }
    waiters.removeAll(keepingCapacity: true)
    swap(&waiters, &answered)
  }

  /// Notes that a transfer left over the connection of a local port.
  func noteDeparture(_ id: TransferID, from previous: Int?, to port: Int) {
    var departures: [Departure] = []
    swap(&departures, &self.departures)
    departures.append((id, previous, port))
    swap(&departures, &self.departures)
  }

  /// Hands out the departures since the last time, and keeps their memory.
  func takeDepartures(into taken: inout [Departure]) {
    taken.removeAll(keepingCapacity: true)
    swap(&taken, &departures)
  }

  func clearAlarm() { alarm = nil }

  func learn(_ origin: WebOrigin, isMultiplexed: Bool) {
    // What was said just before is no news.
    if let known, known.isMultiplexed == isMultiplexed, known.origin == origin { return }
    known = (origin, isMultiplexed)
    learned.append((origin, isMultiplexed))
  }

  func takeLearned() -> [(origin: WebOrigin, isMultiplexed: Bool)] {
    guard !learned.isEmpty else { return [] }
    defer { learned.removeAll(keepingCapacity: true) }
    return learned
  }
}
