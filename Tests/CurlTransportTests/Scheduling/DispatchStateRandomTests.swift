import Interception
import SwitchyardTesting
import Testing

@testable import CurlTransport

/// Random sequences of events against what must hold after each of them.
@Suite struct DispatchStateRandomTests {
  /// What an onlooker knows: who was submitted, who runs, who waits, who got an answer.
  struct Onlooker {
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

    /// Takes note of an action; nil is fine, else what is wrong with it.
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

    /// What must hold between events.
    var fault: String? {
      if waiting.count > limits.queue { return "the queue is longer than allowed" }
      if isClosed { return waiting.isEmpty ? nil : "somebody waits in a closed dispatcher" }
      let isIdle = running.count < limits.total && waiting.contains { origins[$0].map(room(at:)) ?? 0 > 0 }
      return isIdle ? "somebody waits although there is room" : nil
    }
  }

  @Test(arguments: UInt64(1)...60)
  func `limits hold, nobody is lost or answered twice, and room is used`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let limits = CurlDispatcher.Limits(
      total: .random(in: 1...8, using: &random), perOrigin: .random(in: 1...4, using: &random),
      streamsPerOrigin: .random(in: 2...6, using: &random), queue: .random(in: 0...6, using: &random))
    var state = DispatchState(limits: limits)
    var onlooker = Onlooker(limits: limits)
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
        onlooker.origins[id] = origin
        onlooker.waiting.insert(id)
        let deadline =
          Bool.random(using: &random)
          ? DispatchState.Deadline(
            time: now + .milliseconds(Int.random(in: 0...200, using: &random)), phase: .queue)
          : nil
        let priority = RequestOptions.Priority(weight: .random(in: 1...256, using: &random))
        state.submit(.init(id: id, origin: origin, priority: priority, deadline: deadline), at: now, &actions)
      case 50..<80:
        guard let id = onlooker.running.randomElement(using: &random) else { continue }
        onlooker.running.remove(id)
        state.finish(id, &actions)
      case 80..<90:
        let id = TransferID(number: UInt64.random(in: 0...UInt64(step), using: &random))
        state.cancel(id, &actions)
      case 90..<96: state.tick(at: now, &actions)
      case 96..<99:
        let origin = origins[Int.random(in: 0..<4, using: &random)]
        let isMultiplexed = Bool.random(using: &random)
        if onlooker.origins.values.contains(origin) { onlooker.multiplexed[origin] = isMultiplexed }
        state.learn(isMultiplexed: isMultiplexed, origin: origin, &actions)
      default:
        guard step > 500 else { continue }
        onlooker.isClosed = true
        state.close(graceEnd: now + .milliseconds(100), &actions)
      }
      for action in actions {
        let fault = onlooker.note(action)
        try #require(fault == nil, "seed \(seed), step \(step)")
      }
      try #require(onlooker.fault == nil, "seed \(seed), step \(step)")
      try #require(state.running == onlooker.running.count && state.waiting == onlooker.waiting.count)
    }

    var actions: [DispatchState.Action] = []
    onlooker.isClosed = true
    state.close(graceEnd: now, &actions)
    state.tick(at: now, &actions)
    var index = 0
    while index < actions.count {
      let fault = onlooker.note(actions[index])
      try #require(fault == nil, "seed \(seed), at the end")
      if case .abort(let id, _) = actions[index], onlooker.running.remove(id) != nil {
        state.finish(id, &actions)
      }
      index += 1
    }
    #expect(onlooker.running.isEmpty && onlooker.waiting.isEmpty && onlooker.drained == 1)
  }
}
