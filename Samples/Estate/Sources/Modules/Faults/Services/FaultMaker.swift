import APIManagers
import EstateContract
import FaultsRoutes
import Foundation
import HTTPTypes
import Interception

/// Sends requests that are expected to fail, or to recover.
struct FaultMaker {
  let client: APIClient
  let stranger: any Dispatcher
  let port: Int

  func make(_ fault: Fault) async throws {
    switch fault {
    case .unknownHost: _ = try await get(authority: "no-such-host.invalid")
    case .refused: _ = try await get(authority: "127.0.0.1:1")
    case .wrongName: _ = try await get(authority: Service.strangerHost)
    case .untrusted: try await askAsStranger()
    case .slow: try await load(SlowAPI())
    case .unauthorized: try await load(MembersOnlyAPI())
    case .broken: try await load(BrokenAPI())
    case .malformed: try await loadMalformed()
    case .tampered: try await sendTampered()
    case .moved: return try await load(MovedListingAPI())
    case .outdated: try await load(OutdatedAPI())
    case .maintenance: try await load(MaintenanceAPI())
    case .away: return try await load(AwayAPI())
    case .addressDown: return try await load(StopAddressAPI())
    case .addressUp: return try await load(StartAddressAPI())
    }
    throw FaultMissing(
      fault: fault,
      hint: fault == .unauthorized ? "log out with estate://logout first." : "look at its trace.")
  }

  private func get(authority: String, path: String = "/") async throws -> Response {
    try await client.dispatcher.dispatch(Request(authority: authority, path: path))
  }

  private func askAsStranger() async throws {
    var request = Request(authority: "localhost:\(port)", path: "/help.html")
    request.options.timeouts.whole = .seconds(5)
    _ = try await stranger.dispatch(request)
  }

  private func load<A: API>(_ api: A) async throws where A.Params == NoParams {
    let manager = await APIManager(api, client: client)
    _ = try await manager.load(.response, for: NoParams())
  }

  private func loadMalformed() async throws {
    let manager = await APIManager(MalformedAPI(), client: client)
    let answer = try await manager.load(.response, for: NoParams())
    _ = try answer.reformed(by: JSONReformer(MalformedAPI.Answer.self), from: manager.identity)
  }

  private func sendTampered() async throws {
    var request = Request(authority: Service.estateHost, path: "/v1/houses")
    request.context.api = APIIdentity(service: Service.estate.name, name: "houses.list")
    request.context[Tampered.self] = true
    let response = try await client.dispatcher.dispatch(request)
    let bytes = try await response.body.collect(upTo: 64 << 10)
    let refusal = try? JSONDecoder().decode(ServerRefusal.self, from: Data(bytes))
    if response.status == .unauthorized, let refusal, refusal.error.code == "bad_signature" { throw refusal }
  }
}

/// A request that should have failed and did not.
struct FaultMissing: Error, CustomStringConvertible {
  let fault: Fault
  let hint: String

  var description: String { "\"\(fault.rawValue)\" should have failed and did not; \(hint)" }
}

/// The server's refusal of a request.
struct ServerRefusal: Error, Decodable, CustomStringConvertible {
  struct Detail: Decodable {
    let code: String
    let message: String
  }

  let error: Detail

  var description: String { "The server refused (\(error.code)): \(error.message)" }
}
