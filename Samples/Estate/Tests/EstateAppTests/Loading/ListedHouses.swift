import Switchyard
import SwitchyardTesting
import Synchronization

/// A server of one list of houses, which may change between two requests.
final class ListedHouses: Sendable {
  private struct State {
    var ids: [Int]
    var isDown = false
  }

  private let state: Mutex<State>

  init(_ ids: ClosedRange<Int>?) { state = Mutex(State(ids: ids.map(Array.init) ?? [])) }

  /// Adds a house before all others.
  func add(_ id: Int) { state.withLock { $0.ids.insert(id, at: 0) } }

  /// Whether the server answers every request with 503.
  func setDown(_ isDown: Bool) { state.withLock { $0.isDown = isDown } }

  func dispatcher() -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      if Task.isCancelled { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
      let path = request.head.path ?? ""
      let page = path.firstMatch(of: /page=(\d+)/).flatMap { Int($0.1) } ?? 1
      let size = path.firstMatch(of: /size=(\d+)/).flatMap { Int($0.1) } ?? 20
      return self.state.withLock { state in
        if state.isDown { return Response(status: .serviceUnavailable) }
        let houses = state.ids.dropFirst((page - 1) * size).prefix(size).map { id in
          #"{"id":\#(id),"city":"LODI","zip":"95240","bed_count":3,"bath_count":1.5,"square_feet":900,"#
            + #""price_usd":150000}"#
        }.joined(separator: ",")
        return Response(
          status: .ok, headerFields: [.contentType: "application/json"],
          bytes: Array(#"{"total":\#(state.ids.count),"page":\#(page),"houses":[\#(houses)]}"#.utf8))
      }
    }
  }
}

/// A number that closures on the main actor change.
@MainActor final class Count {
  var value = 0
}
