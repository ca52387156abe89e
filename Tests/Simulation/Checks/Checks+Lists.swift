import APIManagers
import HTTPTypes
import Interception
import SwitchyardTesting

extension Checks {
  /// A server has added an item to a list.
  func listGrew(_ arrival: SimulatedArrival) {
    guard let call = arrival.call else { return }
    additions[call, default: 0] += 1
    if additions[call, default: 0] > 1 {
      fail(.effects, "the addition of call \(call) was processed \(additions[call, default: 0]) times")
    }
  }

  /// The app has learnt that a list has changed, and has removed what it had stored of it.
  func learnt(_ name: String, _ version: Int) {
    let content = Content(resource: name, version: version, owner: "", language: "")
    freshness.wrote(content, at: moment())
  }

  /// A screen has received a page.
  func shown(_ response: APIResponse, mode: CacheRule.Mode, since start: Moment) {
    guard let page = PageBody(response.bytes) else {
      return fail(.endsOnce, "a screen got a page that no server has made: \(response.bytes.count) bytes")
    }
    var call = Call(path: page.list)
    call.mode = mode
    let head = HTTPResponse(status: response.status, headerFields: response.headerFields)
    checkFreshness(
      of: page.content, Response(head, exchange: response.exchange), for: call, since: start, "the screen")
  }

  /// A list has some items in an account's view.
  func listed(_ items: [ListItem], for account: String, by caller: String) {
    if Set(items.map(\.id)).count < items.count {
      fail(.identity, "\(caller) has an item twice: \(items.map(\.id))")
    }
    for item in items where !item.owner.isEmpty && item.owner != account {
      fail(.identity, "\(caller) shows item \(item.id) of \(item.owner) to \"\(account)\"")
    }
  }

  /// A list was read completely.
  func exported(_ items: [ListItem], of list: Int, account: String?, since start: Moment) {
    world.story.tell("list \(list) was read: \(items.map(\.id))")
    count("export: \(items.count / 5 * 5)+ items")
    listed(items, for: account ?? "", by: "the export of list \(list)")
    guard ListServer.hasCursors(list) else { return }
    // A page that is stored can be older than the list, but not than what the app itself has added.
    let name = ListServer.name(list, of: account)
    let length = ListServer.firstLength + (freshness.versionWritten(name, before: start) ?? 1) - 1
    let missing = Set(1...length).subtracting(items.map(\.id))
    if !missing.isEmpty {
      fail(.freshness, "the export of \(name) lacks \(missing.sorted()), which the app knew of")
    }
  }
}
