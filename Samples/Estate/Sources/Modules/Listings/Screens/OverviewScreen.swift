import APIManagers
import EstateNetwork
import Interception
import TerminalScreens

/// The cheapest homes of each kind: three managers, one delegate and one reformer.
final class OverviewScreen: ChangingScreen {
  let title: String
  private(set) var lines: [String] = []
  var onChange: @MainActor () -> Void = {}

  private let houses: APIManager<HouseListAPI>
  private let condos: APIManager<CondoListAPI>
  private let multiFamilyHouses: APIManager<MultiFamilyListAPI>
  private let loads = LoadCount()

  init(city: String?, client: APIClient) throws(PipelineIssue) {
    let client = try client.inserting { LowPriority() }
    title = "The cheapest homes" + (city.map { " in \($0)" } ?? "")
    houses = APIManager(HouseListAPI(), client: client)
    condos = APIManager(CondoListAPI(), client: client)
    multiFamilyHouses = APIManager(MultiFamilyListAPI(), client: client)
    let source = ParamSource(HomeSearch(city: city))
    (houses.paramSource, condos.paramSource, multiFamilyHouses.paramSource) = (source, source, source)
    (houses.delegate, condos.delegate, multiFamilyHouses.delegate) = (self, self, self)
  }

  private var managers: [any APIManaging] { [houses, condos, multiFamilyHouses] }

  /// Loads all three lists at once, and returns when each is shown or has failed.
  func load() async {
    for manager in managers {
      loads.begin()
      manager.load()
    }
    await loads.zero { [weak self] in
      for manager in self?.managers ?? [] { manager.cancelAll() }
    }
    show()
  }

  private func show() {
    lines = managers.map { manager in
      let kind =
        if manager === houses { "House" } else if manager === condos { "Condo" } else { "Multi-family" }
      return Amounts.padded(kind, to: 14) + Self.line(of: manager)
    }
    if let copy = managers.compactMap({ $0.lastResponse.flatMap(StoredCopy.init) }).first {
      lines.append(copy.sentence)
    }
    onChange()
  }

  /// What is known of a list: the raw data stays in the manager, and is converted when it is shown.
  private static func line(of manager: any APIManaging) -> String {
    if let error = manager.lastError { return "not loaded: \(error.reason)" }
    do throws(APIError) {
      let list = try manager.lastResponse(as: HomeListReformer())
      return list.items.min { $0.price < $1.price }?.line ?? "none"
    } catch {
      return "not loaded: \(error.reason)"
    }
  }
}

extension OverviewScreen: APIManagerDelegate {
  func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse) { loads.end() }

  func managerDidFail(_ manager: any APIManaging, with error: APIError) { loads.end() }
}
