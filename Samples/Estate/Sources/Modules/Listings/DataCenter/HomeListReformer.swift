import APIManagers

/// Turns the responses of three APIs, whose fields have different names, into the same list.
struct HomeListReformer: Reformer {
  func reform(_ answer: RawAnswer, from manager: ManagerIdentity) throws -> HomeList {
    switch manager.api {
    case HouseListAPI.identity:
      let page = try answer.json(as: HousePage.self)
      return HomeList(total: page.total, items: page.houses.map(\.item))
    case CondoListAPI.identity:
      let page = try answer.json(as: CondoPage.self)
      return HomeList(total: page.count, items: page.items.map(\.item))
    case MultiFamilyListAPI.identity:
      let page = try answer.json(as: MultiFamilyPage.self)
      return HomeList(total: page.result.records, items: page.result.rows.map(\.item))
    default:
      throw MalformedAnswer.unknownManager(manager)
    }
  }
}
