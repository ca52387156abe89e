import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@Suite(.timeLimit(.minutes(5))) @MainActor struct ReformerTests {
  struct ListItem: Equatable {
    let title: String
    let price: Int
  }

  /// A reformer for three APIs whose fields have different names.
  struct ListItems: Reformer {
    struct House: Decodable {
      let address: String
      let askingPrice: Int
    }
    struct Condo: Decodable {
      let building: String
      let unit: Int
      let price: Int
    }
    struct Units: Decodable {
      struct Entry: Decodable {
        let name: String
        let total: Int
      }
      let entries: [Entry]
    }

    func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> [ListItem] {
      switch manager.api {
      case HouseList.identity:
        try response.json(as: [House].self).map { ListItem(title: $0.address, price: $0.askingPrice) }
      case CondoList.identity:
        try response.json(as: [Condo].self).map {
          ListItem(title: "\($0.building) \($0.unit)", price: $0.price)
        }
      case MultiFamilyList.identity:
        try response.json(as: Units.self).entries.map { ListItem(title: $0.name, price: $0.total) }
      default: throw DecodingMismatchError.unknownManager(manager)
      }
    }
  }

  struct Headline: Reformer {
    func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> String {
      "\(manager.name ?? "all"): \(try response.json(as: [ListItems.House].self).count)"
    }
  }

  let client = APIClient(
    dispatcher: ScriptedDispatcher { request, _ throws(NetworkError) in
      let json =
        switch request.context.api {
        case HouseList.identity: #"[{"address": "1 Elm St", "askingPrice": 250000}]"#
        case CondoList.identity: #"[{"building": "Tower", "unit": 7, "price": 180000}]"#
        case MultiFamilyList.identity: #"{"entries": [{"name": "Court", "total": 900000}]}"#
        default: "[]"
        }
      return Response(status: .ok, bytes: Array(json.utf8))
    })

  @Test("A9: One reformer converts the responses of three APIs into the same list items")
  func threeAPIs() async throws {
    let houses = APIManager(HouseList(), client: client)
    let condos = APIManager(CondoList(), client: client)
    let courts = APIManager(MultiFamilyList(), client: client)
    let listener = Listener()
    let managers: [any APIManaging] = [houses, condos, courts]
    houses.delegate = listener
    condos.delegate = listener
    courts.delegate = listener
    houses.load(Search())
    condos.load(Search())
    courts.load(Search())
    try await listener.wait(for: 3)
    let items = try managers.flatMap { try $0.lastResponse(as: ListItems()) }
    #expect(
      items == [
        ListItem(title: "1 Elm St", price: 250_000), ListItem(title: "Tower 7", price: 180_000),
        ListItem(title: "Court", price: 900_000),
      ])
  }

  @Test(
    "A9: Two reformers convert the same data differently, and without a reformer the raw data is returned")
  func twoViews() async throws {
    let manager = APIManager(HouseList(), client: client, name: "nearby")
    _ = try await manager.load(.response, for: Search())
    #expect(try manager.lastResponse(as: ListItems()) == [ListItem(title: "1 Elm St", price: 250_000)])
    #expect(try manager.lastResponse(as: Headline()) == "nearby: 1")
    #expect(manager.lastResponse?.text == #"[{"address": "1 Elm St", "askingPrice": 250000}]"#)
  }

  @Test("The async form can return the converted data")
  func asyncForm() async throws {
    let items = try await APIManager(HouseList(), client: client).load(
      .reformed(by: ListItems()), for: Search())
    #expect(items.map(\.price) == [250_000])
  }

  @Test("Converting a response before the first success fails with noResponse")
  func nothingLoaded() {
    let manager = APIManager(HouseList(), client: client)
    #expect {
      try manager.lastResponse(as: ListItems())
    } throws: {
      ($0 as? APIError)?.kind == .noResponse
    }
  }

  @Test("A reformer that doesn't support the manager's API fails with the names of both")
  func unknownManager() async throws {
    let manager = APIManager(Forecast(), client: client)
    _ = try await manager.load(.response)
    #expect {
      try manager.lastResponse(as: ListItems())
    } throws: { error in
      guard let failure = error as? APIError else { return false }
      return failure.kind == .malformed(field: nil) && failure.description.contains("weather/forecast")
    }
  }

  @Test("A reformer's own error is kept as the underlying one, and the raw data remains available")
  func reformersError() async throws {
    struct Odd: Error {}
    struct Failing: Reformer {
      func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> Int { throw Odd() }
    }
    let manager = APIManager(HouseList(), client: client)
    _ = try await manager.load(.response, for: Search())
    #expect {
      try manager.lastResponse(as: Failing())
    } throws: {
      ($0 as? APIError)?.underlying is Odd
    }
    #expect(try manager.lastResponse(as: ListItems()).count == 1)
  }
}
