import APIManagers

/// Turns the responses of three APIs, whose fields have different names, into the same list.
struct HomeListReformer: Reformer {
  func reform(_ answer: APIResponse, from manager: ManagerIdentity) throws -> HomeList {
    let list = try decoded(answer, from: manager)
    for (index, item) in list.items.enumerated() where item.price < 0 {
      throw DecodingMismatchError(
        field: "items[\(index)].price", "Home \(item.id) has the negative price \(item.price).")
    }
    return list
  }

  private func decoded(_ answer: APIResponse, from manager: ManagerIdentity) throws -> HomeList {
    switch manager.api {
    case HouseListAPI.identity:
      let page = try answer.json(as: HousePage.self)
      return HomeList(total: page.total, items: page.houses.map(\.item))
    case CondoListAPI.identity:
      let page = try answer.json(as: CondoPage.self)
      return HomeList(total: page.count, items: page.items.map(\.item))
    case MultiFamilyListAPI.identity:
      let page = try answer.json(as: MultiFamilyPage.self).result
      return HomeList(total: page.records, items: page.rows.map(\.item))
    default:
      throw DecodingMismatchError.unknownManager(manager)
    }
  }
}
