import Interception
import SwitchyardTesting
import Testing

@testable import CurlTransport

/// Random sequences of events, after each of which the invariants must hold.
@Suite struct DispatchStateRandomTests {
  /// What an observer knows: the submitted, running, waiting and ended requests.
  struct Observer {
    let limits: CurlDispatcher.Limits
    var origins: [TransferID: WebOrigin] = [:]
    var multiplexed: [WebOrigin: Bool] = [:]
    var running: Set<TransferID> = []
    var waiting: Set<TransferID> = []
    var refused: Set<TransferID> = []
    var isClosed = false
    var drained = 0

    func room(at origin: WebOrigin) -> Int {
      let most =
        switch multiplexed[origin] {
        case true?: limits.streamsPerOrigin
        case nil where origin.scheme == .https: min(limits.streamsPerOrigin, limits.perOrigin)
        default: limits.perOrigin
        }
      return most - running.count { origins[$0] == origin }
    }

    /// Records an action; returns what is wrong with it, or nil.
    mutating func note(_ action: DispatchState.Action) -> String? {
      switch action {
      case .start(let id):
        guard waiting.remove(id) != nil, let origin = origins[id] else { return "started without waiting" }
        guard running.count < limits.total, room(at: origin) > 0 else { return "started without room" }
        running.insert(id)
      case .refuse(let id, _), .expire(let id, _), .drop(let id, _):
        guard waiting.remove(id) != nil, refused.insert(id).inserted else { return "answered twice" }
      case .abort(let id, _):
        guard running.contains(id) else { return "stopped what doesn't run" }
      case .drained:
        drained += 1
        guard isClosed, running.isEmpty, waiting.isEmpty, drained == 1 else {
          return "drained too early or twice"
        }
      }
      return nil
    }

    /// The invariant that is violated between events, or nil.
    var fault: String? {
      if waiting.count > limits.queue { return "the queue is longer than allowed" }
      if isClosed { return waiting.isEmpty ? nil : "a request waits in a closed dispatcher" }
      let isIdle = running.count < limits.total && waiting.contains { origins[$0].map(room(at:)) ?? 0 > 0 }
      return isIdle ? "a request waits although there is room" : nil
    }
  }

  @Test("Limits hold, no request is lost or ended twice, and free places are used", arguments: UInt64(1)...60)
  func invariants(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let limits = CurlDispatcher.Limits(
      total: .random(in: 1...8, using: &random), perOrigin: .random(in: 1...4, using: &random),
      streamsPerOrigin: .random(in: 2...6, using: &random), queue: .random(in: 0...6, using: &random))
    var state = DispatchState(limits: limits)
    var observer = Observer(limits: limits)
    let origins = (0..<4).map { number in
      WebOrigin(scheme: number < 2 ? .http : .https, host: "h\(number).test", port: 80)
    }
    var now = Duration.zero

    for step in 0..<600 {
      var actions: [DispatchState.Action] = []
      now += .milliseconds(Int.random(in: 0...40, using: &random))
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<50:
        let id = TransferID(number: UInt64(step))
        let origin = origins[Int.random(in: 0..<4, using: &random)]
        observer.origins[id] = origin
        observer.waiting.insert(id)
        let deadline =
          Bool.random(using: &random)
          ? DispatchState.Deadline(
            time: now + .milliseconds(Int.random(in: 0...200, using: &random)), phase: .queue)
          : nil
        let priority = RequestOptions.Priority(weight: .random(in: 1...256, using: &random))
        state.submit(.init(id: id, origin: origin, priority: priority, deadline: deadline), at: now, &actions)
      case 50..<80:
        guard let id = observer.running.randomElement(using: &random) else { continue }
        observer.running.remove(id)
        state.finish(id, &actions)
      case 80..<90:
        let id = TransferID(number: UInt64.random(in: 0...UInt64(step), using: &random))
        state.cancel(id, &actions)
      case 90..<96: state.tick(at: now, &actions)
      case 96..<99:
        let origin = origins[Int.random(in: 0..<4, using: &random)]
        let isMultiplexed = Bool.random(using: &random)
        if observer.origins.values.contains(origin) { observer.multiplexed[origin] = isMultiplexed }
        state.learn(isMultiplexed: isMultiplexed, origin: origin, &actions)
      default:
        guard step > 500 else { continue }
        observer.isClosed = true
        state.close(graceEnd: now + .milliseconds(100), &actions)
      }
      for action in actions {
        let fault = observer.note(action)
        try #require(fault == nil, "seed \(seed), step \(step)")
      }
      try #require(observer.fault == nil, "seed \(seed), step \(step)")
      try #require(state.running == observer.running.count && state.waiting == observer.waiting.count)
    }

    var actions: [DispatchState.Action] = []
    observer.isClosed = true
    state.close(graceEnd: now, &actions)
    state.tick(at: now, &actions)
    var index = 0
    while index < actions.count {
      let fault = observer.note(actions[index])
      try #require(fault == nil, "seed \(seed), at the end")
      if case .abort(let id, _) = actions[index], observer.running.remove(id) != nil {
        state.finish(id, &actions)
      }
      index += 1
    }
    #expect(observer.running.isEmpty && observer.waiting.isEmpty && observer.drained == 1)
  }
}
