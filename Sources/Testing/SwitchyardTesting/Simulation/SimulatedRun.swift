import HTTPTypes
import Interception
import Synchronization

/// One history of a simulation: its network, its clock, and the calls whose ends are checked.
///
/// See ``checkSimulation(seeds:rules:faults:patience:steps:run:)``.
public final class SimulatedRun: Sendable {
  /// The kind of a broken rule, which shrinking keeps.
  enum Rule: Sendable {
    case ending, effects, origins, secrets, nothingLeft, own
  }

  fileprivate struct Call {
    let name: String
    /// Nil for the code of the run itself.
    let deadline: Duration?
    var cancel: (@Sendable () -> Void)?
  }

  fileprivate struct State {
    var calls: [Int: Call] = [:]
    var lastCall = 0
    /// Counts what happens, so that the clock is advanced only when nothing does.
    var changes = 0
    var violations: [(rule: Rule, text: String)] = []
    var performed: [String: Int] = [:]
    var faultCounts: [String: Int] = [:]
    var lines: [String] = []
  }

  /// The seed that decides what the network does.
  public let seed: UInt64
  /// The network between the app and its servers.
  public let network: SimulatedNetwork
  /// The clock of the network, and of everything that the run creates with ``SimulatedNetwork/time``.
  package let clock: TestClock
  private let rules: SimulationRules
  private let record: Record

  init(seed: UInt64, rules: SimulationRules, faults: @escaping SimulatedNetwork.Faults) {
    self.seed = seed
    self.rules = rules
    let (clock, record) = (TestClock(), Record())
    self.clock = clock
    self.record = record
    network = SimulatedNetwork(
      seed: seed, faults: faults, clock: clock,
      observer: RunObserver(record: record, rules: rules, clock: clock))
  }

  /// Starts a call, which must end within a time, with an output, an error, or its cancellation.
  ///
  /// The text of an error that it throws is searched for secrets.
  @discardableResult
  public func start<Output: Sendable>(
    _ name: String, within limit: Duration, _ call: @escaping @Sendable () async throws -> Output
  ) -> Task<Output, any Error> {
    let number = begin(name, deadline: clock.now.offset + limit)
    let task = Task {
      defer { end(number, name) }
      do {
        return try await call()
      } catch {
        write("\(error)")
        tell("\(name) failed: \(error)")
        throw error
      }
    }
    cancellable(number) { task.cancel() }
    return task
  }

  /// Suspends for a time of the clock.
  public func pause(for duration: Duration) async {
    try? await clock.sleep(for: duration)
  }

  /// Records a broken rule of the app's own unless a condition is true.
  public func expect(_ condition: Bool, _ rule: @autoclosure () -> String) {
    if !condition { fail(.own, rule()) }
  }

  /// Searches a text that leaves the app, such as a line of a log, for secrets.
  public func write(_ output: String) {
    guard let number = rules.secret(in: output) else { return }
    fail(.secrets, "An output contains the secret number \(number + 1).")
  }

  /// Adds a line to the story of the history.
  public func tell(_ line: String) { record.tell(line, at: clock.now.offset) }
}

// MARK: For the driver

extension SimulatedRun {
  func begin(_ name: String, deadline: Duration?) -> Int {
    record.state.withLock { state in
      state.lastCall += 1
      state.changes += 1
      state.calls[state.lastCall] = Call(name: name, deadline: deadline)
      return state.lastCall
    }
  }

  func cancellable(_ number: Int, _ cancel: @escaping @Sendable () -> Void) {
    record.state.withLock { $0.calls[number]?.cancel = cancel }
  }

  func end(_ number: Int, _ name: String) {
    record.state.withLock { state in
      state.calls[number] = nil
      state.changes += 1
    }
  }

  func fail(_ rule: Rule, _ text: String) { record.fail(rule, text, at: clock.now.offset) }

  /// The number of calls that have not ended.
  var callCount: Int { record.state.withLock { $0.calls.count } }
  var changes: Int { record.state.withLock { $0.changes } }
  /// The first deadline of a call that has not ended.
  var nextDeadline: Duration? { record.state.withLock { $0.calls.values.compactMap(\.deadline).min() } }
  var violations: [(rule: Rule, text: String)] { record.state.withLock { $0.violations } }
  var faultCounts: [String: Int] { record.state.withLock { $0.faultCounts } }
  var lines: [String] { record.state.withLock { $0.lines } }

  /// Cancels the calls that have not ended by a time, and reports each; all of them without a time.
  func cancelLate(at time: Duration?, _ reason: String) {
    let late = record.state.withLock { state in
      let late = state.calls.filter { _, call in
        guard let time else { return true }
        return call.deadline.map { $0 <= time } ?? false
      }
      for number in late.keys { state.calls[number] = nil }
      state.changes += 1
      return late.sorted { $0.key < $1.key }.map(\.value)
    }
    for call in late {
      fail(.ending, "\(call.name) has not ended: \(reason)")
      call.cancel?()
    }
  }
}

// MARK: What is recorded

extension SimulatedRun {
  /// What happens in a run; apart from the run, so that the network doesn't retain it.
  fileprivate final class Record: Sendable {
    let state = Mutex(State())

    func fail(_ rule: Rule, _ text: String, at time: Duration) {
      state.withLock { $0.violations.append((rule, text)) }
      tell("BROKEN: \(text)", at: time)
    }

    func tell(_ line: String, at time: Duration) {
      let (seconds, attoseconds) = time.components
      let fraction = String(attoseconds / 1_000_000_000_000_000)
      let zeros = String(repeating: "0", count: 3 - fraction.count)
      state.withLock { state in
        state.changes += 1
        state.lines.append("\(seconds).\(zeros)\(fraction) s  \(line)")
      }
    }

    /// A server has performed a request; returns how often it has.
    func perform(_ request: Request) -> Int {
      let name =
        "\(request.id) \(request.head.method) \(request.head.authority ?? "")\(request.head.path ?? "")"
      return state.withLock { state in
        state.performed[name, default: 0] += 1
        return state.performed[name, default: 0]
      }
    }

    func count(_ fault: SimulatedFault) { state.withLock { $0.faultCounts[fault.name, default: 0] += 1 } }
  }

  fileprivate struct RunObserver: ExchangeObserver {
    let record: Record
    let rules: SimulationRules
    let clock: TestClock
    var isAlive: Bool { true }

    func observe(_ event: ExchangeEvent) {
      let time = clock.now.offset
      switch event {
      case .connecting: break
      case .sent(let number, let request, let address, let fault):
        record.count(fault)
        let (method, target) = (
          request.head.method, "\(request.head.authority ?? "")\(request.head.path ?? "")"
        )
        record.tell("#\(number) \(method) \(target) to \(address): \(fault)", at: time)
      case .answered(let arrival, let response, let byHandler):
        record.tell("#\(arrival.number) arrived, and is answered with \(response.status.code)", at: time)
        if let fault = rules.fault(of: arrival) {
          record.fail(.origins, "#\(arrival.number) at \(arrival.origin) has \(fault).", at: time)
        }
        guard byHandler, response.status.kind == .successful, !arrival.request.isIdempotent else { return }
        let count = record.perform(arrival.request)
        guard count > 1 else { return }
        record.fail(
          .effects,
          "\(arrival.request.head.method) \(arrival.path) was performed \(count) times; it is neither "
            + "idempotent nor has it a key.", at: time)
      case .delivered(let number, _, let response):
        record.tell("#\(number) delivers \(response.status.code)", at: time)
      }
    }
  }
}
