import Interception
import RequestLogging
import Synchronization

/// The circuit breakers of the pipelines that an inspector observes.
final class WatchedCircuits: Sendable {
  /// Weak, because an interceptor may refer to a pipeline that retains the inspector.
  private struct Reporter {
    weak var circuits: (any CircuitReporter)?
  }

  private let reporters = Mutex<[ObjectIdentifier: Reporter]>([:])

  /// Adds those of a pipeline; pipelines that are made from it share them.
  func add(_ circuits: [any CircuitReporter]) {
    reporters.withLock { reporters in
      reporters = reporters.filter { $0.value.circuits != nil }
      for reporter in circuits { reporters[ObjectIdentifier(reporter)] = Reporter(circuits: reporter) }
    }
  }

  /// The present states; nil if no pipeline has a circuit breaker.
  ///
  /// - Parameter origins: The origins that calls were sent to.
  func states(of origins: Set<String>) -> [CircuitStatus]? {
    // Interceptors have locks of their own.
    let present = reporters.withLock { $0.values.compactMap(\.circuits) }
    var states = present.flatMap(\.circuits)
    let watchesOrigins = present.contains(where: \.watchesOrigins)
    guard watchesOrigins || !states.isEmpty else { return nil }
    if watchesOrigins {
      // An origin without failures isn't remembered.
      let named = Set(states.map(\.name))
      states += origins.subtracting(named).map { CircuitStatus(name: $0, state: .closed, failures: 0) }
    }
    return states.sorted { $0.name < $1.name }
  }
}

extension CallTotals {
  /// The circuits of the app's pipelines, as they are now.
  var circuits: JSONValue {
    let origins = records.flatMap(\.exchanges).map { RequestOrigin($0.request.head).description }
    guard let states = circuitsNow(Set(origins)) else { return seenCircuits }
    return .list(
      states.map { status in
        var members: Members = [("origin", .text(status.name)), ("state", .text(status.state.word))]
        if let failures = status.failures { members.append(("failures", .count(failures))) }
        if case .open(let pause) = status.state {
          members.append(("until", .seconds(now.advanced(by: pause))))
        }
        return .object(members)
      })
  }

  /// The circuits that a call has seen open, each as the last call has seen it: those of another
  /// pipeline behind the app's.
  private var seenCircuits: JSONValue {
    var isOpen: [String: Bool] = [:]
    for record in records {
      guard let outcome = record.outcome else { continue }
      let origin = RequestOrigin(record.request.head).description
      if case .failed(let error) = outcome, error.retryRefusal == .circuitOpen {
        isOpen[origin] = true
      } else if isOpen[origin] != nil, !record.exchanges.isEmpty {
        isOpen[origin] = false
      }
    }
    return .list(
      isOpen.sorted { $0.key < $1.key }.map { origin, isOpen in
        .object([("origin", .text(origin)), ("state", .text(isOpen ? "open" : "closed"))])
      })
  }
}

extension CircuitStatus.State {
  fileprivate var word: String {
    switch self {
    case .closed: "closed"
    case .open: "open"
    case .halfOpen: "half-open"
    }
  }
}
