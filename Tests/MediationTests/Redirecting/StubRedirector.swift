import Mediation
import Synchronization

/// Redirects by a list of URLs; counts how often it is asked.
final class StubRedirector: CheckingRedirector {
  private struct Rules: RedirectSnapshot {
    let version: Int
    let moves: [String: String]
    let disabled: Set<RoutePattern>
    let note: @Sendable (String) -> Void

    func redirect(
      _ url: RouteURL, matching pattern: RoutePattern?
    ) throws(RouteError) -> (url: String, rule: Int)? {
      note("\(url.text) \(pattern?.text ?? "-")")
      return moves[url.text].map { ($0, 0) }
    }

    func disables(_ pattern: RoutePattern) -> Bool { disabled.contains(pattern) }
  }

  private struct State {
    var moves: [String: String]
    var version = 1
    var questions: [String] = []
    var routes: RedirectableRoutes?
  }

  private let state: Mutex<State>
  private let disabled: Set<RoutePattern>
  private let faults: [RouteTableIssue.Fault]

  init(_ moves: [String: String], disabled: Set<RoutePattern> = [], faults: [RouteTableIssue.Fault] = []) {
    state = Mutex(State(moves: moves))
    self.disabled = disabled
    self.faults = faults
  }

  /// The URLs that were offered, each with the pattern that it matches.
  var questions: [String] { state.withLock { $0.questions } }
  var routes: RedirectableRoutes? { state.withLock { $0.routes } }

  func change(to moves: [String: String]) {
    let (routes, version) = state.withLock { state in
      state.moves = moves
      state.version += 1
      return (state.routes, state.version)
    }
    routes?.reportChange(toVersion: version)
  }

  func connect(to routes: RedirectableRoutes) -> [RouteTableIssue.Fault] {
    state.withLock { $0.routes = routes }
    return faults
  }

  func snapshot() -> (any RedirectSnapshot)? {
    state.withLock { state in
      Rules(version: state.version, moves: state.moves, disabled: disabled) { [weak self] question in
        self?.state.withLock { $0.questions.append(question) }
      }
    }
  }
}
