import Interception
import SwitchyardTesting
import Testing

@testable import CurlTransport

/// Random sequences of events, for which the state and the plain model must decide on the same actions.
@Suite(.timeLimit(.minutes(5))) struct DispatchStateModelTests {
  typealias Action = DispatchState.Action

  /// The state, the model, and what is needed to generate the next event.
  struct Pair {
    var state: DispatchState
    var model: PlainDispatch
    var random: SeededRandom
    var now = Duration.zero
    var running: [TransferID] = []
    var last: UInt64 = 0
    let origins = (0..<5).map { WebOrigin(scheme: .https, host: "h\($0).test", port: 443) }

    init(seed: UInt64) {
      random = .init(seed: seed)
      var limits = CurlDispatcher.Limits(
        total: .random(in: 1...10, using: &random), perOrigin: .random(in: 1...4, using: &random),
        streamsPerOrigin: .random(in: 1...8, using: &random), queue: .random(in: 0...20, using: &random))
      limits.ageing = .milliseconds(Int.random(in: 0...200, using: &random))
      state = DispatchState(limits: limits)
      model = PlainDispatch(limits: limits)
    }

    /// Applies an event to both; returns their actions.
    mutating func step(mayClose: Bool) -> (state: [Action], model: [Action]) {
      var actions: [Action] = []
      let expected: [Action]
      now += .milliseconds(Int.random(in: 0...30, using: &random))
      let origin = origins[Int.random(in: 0..<5, using: &random)]
      switch Int.random(in: 0..<100, using: &random) {
      case 0..<45:
        last += 1
        let limit = Int.random(in: -5...300, using: &random)
        let submission = DispatchState.Submission(
          id: TransferID(number: last), origin: origin,
          priority: .init(weight: .random(in: 1...256, using: &random)),
          deadline: limit > 200 ? nil : .init(time: now + .milliseconds(limit), phase: .queue),
          needsOwnConnection: Int.random(in: 0..<4, using: &random) == 0)
        state.submit(submission, at: now, &actions)
        expected = model.submit(submission, at: now)
      case 45..<75:
        guard let id = running.randomElement(using: &random) else { return ([], []) }
        running.removeAll { $0 == id }
        state.finish(id, &actions)
        expected = model.finish(id)
      case 75..<85:
        let id = TransferID(number: .random(in: 0...last, using: &random))
        state.cancel(id, &actions)
        expected = model.cancel(id)
      case 85..<94:
        state.tick(at: now, &actions)
        expected = model.tick(at: now)
      case 94..<99:
        let isMultiplexed = Bool.random(using: &random)
        state.learn(isMultiplexed: isMultiplexed, origin: origin, &actions)
        expected = model.learn(isMultiplexed: isMultiplexed, origin: origin)
      default:
        guard mayClose else { return ([], []) }
        let end = now + .milliseconds(Int.random(in: 0...200, using: &random))
        state.close(graceEnd: end, &actions)
        expected = model.close(graceEnd: end)
      }
      for case .start(let id) in actions { running.append(id) }
      return (actions, expected)
    }
  }

  /// Groups actions for comparison: starts are ordered by priority, simultaneous ends are not ordered.
  private func comparable(_ actions: [Action]) -> [Set<Action>] {
    var groups: [Set<Action>] = []
    var ends: Set<Action> = []
    for action in actions {
      switch action {
      case .start, .drained: groups.append([action])
      case .refuse, .expire, .drop, .abort: ends.insert(action)
      }
    }
    return ends.isEmpty ? groups : [ends] + groups
  }

  @Test("The state decides like the plain model", arguments: UInt64(1)...100)
  func model(seed: UInt64) throws {
    var pair = Pair(seed: seed)
    for number in 0..<800 {
      let (actions, expected) = pair.step(mayClose: number > 600)
      try #require(
        comparable(actions) == comparable(expected) && actions.count == expected.count,
        "seed \(seed), step \(number)")
      try #require([pair.state.running, pair.state.waiting] == pair.model.counts)
    }
  }
}
