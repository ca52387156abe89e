import Interception

@testable import CurlTransport

/// A model of ``DispatchState`` that searches one list linearly.
struct PlainDispatch {
  struct Line: Hashable {
    let origin: WebOrigin
    let needsOwnConnection: Bool
  }

  struct Waiting {
    let id: TransferID
    let line: Line
    let rank: WaitingLine.Rank
    let deadline: DispatchState.Deadline?
  }

  let limits: CurlDispatcher.Limits
  private var waiting: [Waiting] = []
  private var running: [TransferID: Line] = [:]
  private var multiplexed: [WebOrigin: Bool] = [:]
  private var known: Set<WebOrigin> = []
  private var graceEnd: Duration?
  private var isDrained = false
  private var arrivals: UInt64 = 0

  init(limits: CurlDispatcher.Limits) { self.limits = limits }

  var counts: [Int] { [running.count, waiting.count] }

  private func hasRoom(_ line: Line) -> Bool {
    let most =
      switch multiplexed[line.origin] {
      case _ where line.needsOwnConnection: limits.perOrigin
      case true?: limits.streamsPerOrigin
      case nil where line.origin.scheme == .https: min(limits.streamsPerOrigin, limits.perOrigin)
      default: limits.perOrigin
      }
    return running.count < limits.total && running.values.count { $0 == line } < most
  }

  mutating func submit(_ submission: DispatchState.Submission, at now: Duration) -> [DispatchState.Action] {
    let id = submission.id
    if graceEnd != nil { return [.drop(id, .shutdown)] }
    if let deadline = submission.deadline, deadline.time <= now { return [.expire(id, deadline.phase)] }
    let line = Line(origin: submission.origin, needsOwnConnection: submission.needsOwnConnection)
    if !line.needsOwnConnection { known.insert(line.origin) }
    if hasRoom(line) {
      running[id] = line
      return [.start(id)]
    }
    if waiting.count >= limits.queue { return [.refuse(id, .requests(limits.queue))] }
    arrivals += 1
    let rank = WaitingLine.Rank(
      arrival: now, priority: submission.priority, ageing: limits.ageing, number: arrivals)
    waiting.append(.init(id: id, line: line, rank: rank, deadline: submission.deadline))
    return []
  }

  mutating func finish(_ id: TransferID) -> [DispatchState.Action] {
    guard running.removeValue(forKey: id) != nil else { return [] }
    return startWaiting() + drained()
  }

  mutating func learn(isMultiplexed: Bool, origin: WebOrigin) -> [DispatchState.Action] {
    guard known.contains(origin) else { return [] }
    multiplexed[origin] = isMultiplexed
    return startWaiting()
  }

  mutating func cancel(_ id: TransferID) -> [DispatchState.Action] {
    if running[id] != nil { return [.abort(id, .task)] }
    guard let index = waiting.firstIndex(where: { $0.id == id }) else { return [] }
    waiting.remove(at: index)
    return [.drop(id, .task)]
  }

  mutating func tick(at now: Duration) -> [DispatchState.Action] {
    var actions: [DispatchState.Action] = []
    for entry in waiting {
      if let deadline = entry.deadline, deadline.time <= now {
        actions.append(.expire(entry.id, deadline.phase))
      }
    }
    waiting.removeAll { $0.deadline.map { $0.time <= now } ?? false }
    if let graceEnd, graceEnd <= now, !isDrained {
      actions += running.keys.map { .abort($0, .shutdown) }
    }
    return actions
  }

  mutating func close(graceEnd end: Duration) -> [DispatchState.Action] {
    if isDrained { return [] }
    graceEnd = min(graceEnd ?? end, end)
    let actions = waiting.map { DispatchState.Action.drop($0.id, .shutdown) }
    waiting = []
    return actions + drained()
  }

  private mutating func startWaiting() -> [DispatchState.Action] {
    var actions: [DispatchState.Action] = []
    while let next = waiting.filter({ hasRoom($0.line) }).min(by: { $0.rank < $1.rank }) {
      waiting.removeAll { $0.id == next.id }
      running[next.id] = next.line
      actions.append(.start(next.id))
    }
    return actions
  }

  private mutating func drained() -> [DispatchState.Action] {
    guard graceEnd != nil, running.isEmpty, !isDrained else { return [] }
    isDrained = true
    return [.drained]
  }
}
