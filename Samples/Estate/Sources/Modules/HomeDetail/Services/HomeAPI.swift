import APIManagers
import EstateContract
import Interception

/// One home by its number.
struct HomeAPI: API {
  struct Params: Sendable, Hashable {
    var id: Int
  }

  static let endpoint = Endpoint<Params>(
    .estate, "homes.detail", path: "/homes/\(\.id)", encoding: .pathOnly, cacheRule: .browsing)

  func validate(_ params: Params) throws(ParamsError) {
    guard params.id >= 1 else {
      throw ParamsError(field: "id", "homes are numbered from 1; ask for another one.")
    }
  }

  func tags(for params: Params) -> Set<DataTag> { [.home(params.id)] }

  func output(from response: APIResponse) throws -> LoadedHome {
    LoadedHome(home: try response.json(), copy: StoredCopy(response))
  }
}

/// One of the homes that are compared, as the server has it now.
struct ComparedHomeAPI: API {
  static let endpoint = Endpoint<HomeAPI.Params>(
    .estate, "homes.compared", path: "/homes/\(\.id)", encoding: .pathOnly, cacheRule: .off)

  func validate(_ params: HomeAPI.Params) throws(ParamsError) { try HomeAPI().validate(params) }

  func output(from response: APIResponse) throws -> LoadedHome {
    LoadedHome(home: try response.json(), copy: nil)
  }
}
