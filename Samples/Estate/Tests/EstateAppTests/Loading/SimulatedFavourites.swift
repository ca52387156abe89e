import Switchyard
import SwitchyardTesting
import Synchronization

@testable import EstateNetwork

/// The server of the favourites in a simulation: tokens that it can forget, and a list of homes.
final class SimulatedFavourites: Sendable {
  /// What tokens contain, so that no output may contain it.
  static let secrets = ["access-secret", "refresh-secret"]

  private struct State {
    var homes: [Int] = []
    var token = 1
  }

  private let state = Mutex(State())

  /// The token that the server accepts.
  var token: String { state.withLock { "\(Self.secrets[0])-\($0.token)" } }
  /// The homes, in the order in which they were added.
  var homes: [Int] { state.withLock { $0.homes } }

  /// Forgets the token, so that the app has to refresh it.
  func forgetToken() { state.withLock { $0.token += 1 } }

  func response(to arrival: SimulatedArrival) -> Response {
    if arrival.path == "/v1/token" {
      return json(
        #"{"access_token":"\#(token)","token_type":"Bearer","expires_in":3600,"#
          + #""refresh_token":"\#(Self.secrets[1])"}"#)
    }
    guard arrival.field(.authorization) == "Bearer \(token)" else {
      return Response(status: .unauthorized, headerFields: [.wwwAuthenticate: "Bearer realm=\"estate\""])
    }
    guard arrival.request.head.method == .post else {
      let list = homes.map { #"{"id":\#($0),"city":"LODI","price":9}"# }.joined(separator: ",")
      return json(#"{"favourites":[\#(list)]}"#)
    }
    let home = Int(String(decoding: arrival.body, as: UTF8.self).filter(\.isNumber)) ?? 0
    let count = state.withLock { state in
      if !state.homes.contains(home) { state.homes.append(home) }
      return state.homes.count
    }
    return json(#"{"favourites":\#(count)}"#)
  }

  private func json(_ text: String) -> Response {
    Response(status: .ok, headerFields: [.contentType: "application/json"], bytes: Array(text.utf8))
  }
}
