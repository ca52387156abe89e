import Switchyard
import SwitchyardTesting
import Synchronization

/// A server of houses that holds back the requests for one city until they are cancelled.
final class ScriptedHouses: Sendable {
  static let heldCity = "HELD"

  private struct State {
    var isHolding = false
    var cancellations = 0
    var watchers: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  /// The number of held requests that were cancelled.
  var cancellations: Int { state.withLock { $0.cancellations } }

  /// Returns when a request is held.
  func holding() async {
    await withCheckedContinuation { continuation in
      let isHolding = state.withLock { state in
        if !state.isHolding { state.watchers.append(continuation) }
        return state.isHolding
      }
      if isHolding { continuation.resume() }
    }
  }

  /// A dispatcher that answers with 25 houses in all, each page with one house whose number is the page's.
  func dispatcher() -> ScriptedDispatcher {
    ScriptedDispatcher { request, _ throws(NetworkError) in
      let path = request.head.path ?? ""
      if path.contains("city=\(Self.heldCity)") { await self.hold() }
      if Task.isCancelled { throw NetworkError(.cancelled(.task), "The request was cancelled.") }
      let page = path.firstMatch(of: /page=(\d+)/).map { String($0.1) } ?? "1"
      let house =
        #"{"id":\#(page),"city":"LODI","zip":"95240","bed_count":3,"bath_count":1.5,"square_feet":900,"#
        + #""price_usd":150000}"#
      return Response(
        status: .ok, headerFields: [.contentType: "application/json"],
        bytes: Array(#"{"total":25,"page":\#(page),"houses":[\#(house)]}"#.utf8))
    }
  }

  private func hold() async {
    let watchers = state.withLock { state in
      state.isHolding = true
      defer { state.watchers = [] }
      return state.watchers
    }
    for watcher in watchers { watcher.resume() }
    // Ends only when the task is cancelled.
    let (endless, feed) = AsyncStream.makeStream(of: Void.self)
    for await _ in endless {}
    feed.finish()
    state.withLock { $0.cancellations += 1 }
  }
}
