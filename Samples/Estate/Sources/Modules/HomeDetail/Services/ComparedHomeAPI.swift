import APIManagers
import EstateContract
import Interception

/// One of the homes that are compared, as the server has it now.
struct ComparedHomeAPI: API {
  static let endpoint = Endpoint<HomeAPI.Params>(
    .estate, "homes.compared", path: "/homes/\(\.id)", encoding: .pathOnly, cacheRule: .off)

  func validate(_ params: HomeAPI.Params) throws(ParamsError) { try HomeAPI().validate(params) }

  func output(from response: APIResponse) throws -> LoadedHome {
    LoadedHome(home: try response.json(), copy: nil)
  }
}
