import APIManagers
import AccountRoutes
import EstateContract
import Interception
import Screens

/// The cheapest homes of each kind: three managers, one delegate and one reformer.
final class OverviewScreen: ChangingScreen {
  private let heading: String
  var onChange: @MainActor () -> Void = {}

  private let houses: APIManager<HouseListAPI>
  private let condos: APIManager<CondoListAPI>
  private let multiFamilyHouses: APIManager<MultiFamilyListAPI>
  private let marks: (any FavouriteMarking)?
  private let loads = LoadCount()

  init(city: String?, client: APIClient, marks: (any FavouriteMarking)? = nil) {
    heading = "The cheapest homes" + (city.map { " in \($0)" } ?? "")
    self.marks = marks
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
    onChange()
  }

  var content: ScreenContent {
    let copy = managers.compactMap { $0.lastResponse.flatMap(StoredCopy.init) }.first
    return ScreenContent(
      title: heading, blocks: managers.flatMap(blocks),
      actions: [.show("All homes", "estate://browse")], isLoading: managers.contains { $0.isLoading },
      staleness: copy?.sentence)
  }

  /// What is known of a list: the raw data stays in the manager, and is converted when it is shown.
  private func blocks(of manager: any APIManaging) -> [ContentBlock] {
    let kind =
      if manager === houses { "House" } else if manager === condos { "Condo" } else { "Multi-family" }
    let label = Amounts.padded(kind, to: 14)
    if let error = manager.lastError {
      return [.failure("\(label)not loaded: \(error.reason)")]
    }
    do throws(APIError) {
      let list = try manager.lastResponse(as: HomeListReformer())
      guard let home = list.items.min(by: { $0.price < $1.price }) else { return [.text("\(label)none")] }
      return [.cards([home.card(badge: kind, mark: marks?.mark(of: home.id) ?? .absent)])]
    } catch {
      return [.failure("\(label)not loaded: \(error.reason)")]
    }
  }
}

extension OverviewScreen: APIManagerDelegate {
  func managerDidSucceed(_ manager: any APIManaging, with response: APIResponse) { loads.end() }

  func managerDidFail(_ manager: any APIManaging, with error: APIError) { loads.end() }
}
