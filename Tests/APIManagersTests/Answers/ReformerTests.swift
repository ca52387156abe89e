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

    func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> [ListItem] {
      switch manager.api {
      case HouseList.identity:
        try answer.json(as: [House].self).map { ListItem(title: $0.address, price: $0.askingPrice) }
      case CondoList.identity:
        try answer.json(as: [Condo].self).map {
          ListItem(title: "\($0.building) \($0.unit)", price: $0.price)
        }
      case MultiFamilyList.identity:
        try answer.json(as: Units.self).entries.map { ListItem(title: $0.name, price: $0.total) }
      default: throw MalformedAnswer.unknownManager(manager)
      }
    }
  }

  struct Headline: Reformer {
    func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> String {
      "\(manager.name ?? "all"): \(try answer.json(as: [ListItems.House].self).count)"
    }
  }

  let host = HostApp(
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

  @Test("A9: One reformer converts the answers of three APIs into the same list items")
  func threeAPIs() async throws {
    let houses = APIManager(HouseList(), in: host)
    let condos = APIManager(CondoList(), in: host)
    let courts = APIManager(MultiFamilyList(), in: host)
    let listener = Listener()
    let managers: [any APIManaging] = [houses, condos, courts]
    houses.delegate = listener
    condos.delegate = listener
    courts.delegate = listener
    houses.load(Search())
    condos.load(Search())
    courts.load(Search())
    await listener.wait(for: 3)
    let items = try managers.flatMap { try $0.fetch(with: ListItems()) }
    #expect(
      items == [
        ListItem(title: "1 Elm St", price: 250_000), ListItem(title: "Tower 7", price: 180_000),
        ListItem(title: "Court", price: 900_000),
      ])
  }

  @Test(
    "A9: Two reformers convert the same data differently, and without a reformer the raw data is returned")
  func twoViews() async throws {
    let manager = APIManager(HouseList(), in: host, name: "nearby")
    _ = try await manager.response(for: Search())
    #expect(try manager.fetch(with: ListItems()) == [ListItem(title: "1 Elm St", price: 250_000)])
    #expect(try manager.fetch(with: Headline()) == "nearby: 1")
    #expect(try manager.fetch(with: nil).text == #"[{"address": "1 Elm St", "askingPrice": 250000}]"#)
    #expect(try manager.fetch() == manager.fetch(with: nil))
  }

  @Test("The async form can return the converted data")
  func asyncForm() async throws {
    let items = try await APIManager(HouseList(), in: host).response(for: Search(), with: ListItems())
    #expect(items.map(\.price) == [250_000])
  }

  @Test("Fetching before the first success fails with noAnswer")
  func nothingLoaded() {
    let manager = APIManager(HouseList(), in: host)
    #expect {
      try manager.fetch(with: ListItems())
    } throws: {
      ($0 as? APIFailure)?.kind == .noAnswer
    }
  }

  @Test("A reformer that doesn't support the manager's API fails with the names of both")
  func unknownManager() async throws {
    let manager = APIManager(Forecast(), in: host)
    _ = try await manager.response()
    #expect {
      try manager.fetch(with: ListItems())
    } throws: { error in
      guard let failure = error as? APIFailure else { return false }
      return failure.kind == .malformed(field: nil) && failure.description.contains("weather/forecast")
    }
  }

  @Test("A reformer's own error is kept as the underlying one, and the raw data remains available")
  func reformersError() async throws {
    struct Odd: Error {}
    struct Failing: Reformer {
      func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> Int { throw Odd() }
    }
    let manager = APIManager(HouseList(), in: host)
    _ = try await manager.response(for: Search())
    #expect {
      try manager.fetch(with: Failing())
    } throws: {
      ($0 as? APIFailure)?.underlying is Odd
    }
    #expect(try manager.fetch(with: ListItems()).count == 1)
  }
}
