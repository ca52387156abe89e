import APIManagers
import HTTPTypes
import Interception

extension Service {
  static let simulated = Service("simulated", at: ServiceAddress(authority: APIServer.origin))
}

/// The path of a resource in parts.
struct ResourcePath: Sendable {
  let kind: String
  let index: Int

  init(_ kind: String, _ index: Int) { (self.kind, self.index) = (kind, index) }

  init?(_ path: String) {
    let parts = path.split(separator: "/")
    guard parts.count == 2, let index = Int(parts[1]) else { return nil }
    self.init(String(parts[0]), index)
  }
}

/// Loads a resource, cached as its response states.
struct ResourceLoad: API {
  static let endpoint = Endpoint<ResourcePath>(
    .simulated, "resource", path: "/\(\.kind)/\(\.index)", encoding: .pathOnly)

  func validate(_ response: APIResponse) throws(ResponseError) {
    guard Content(response.bytes) != nil else { throw .invalid("The body is not a resource's.") }
  }
}

/// Loads the decoded content of a resource, cached by the app's own rule.
struct ContentLoad: API {
  static let lifetime = Duration.seconds(20)
  static let endpoint = Endpoint<ResourcePath>(
    .simulated, "content", path: "/\(\.kind)/\(\.index)", encoding: .pathOnly, cacheRule: .timed(lifetime))

  func output(from response: APIResponse) throws -> Content {
    guard let content = Content(response.bytes) else {
      throw DecodingMismatchError("The body is not a resource's.")
    }
    return content
  }
}

/// Changes a resource.
struct ResourceChange: API {
  static let endpoint = Endpoint<ResourcePath>(
    .simulated, "change", method: .put, path: "/\(\.kind)/\(\.index)",
    encoding: .custom { _ throws(ParamsError) in .init(body: .bytes(Array("change".utf8))) })
}

/// Loads a page of a list.
struct PageLoad: API {
  struct Params: Sendable {
    let list: Int
    let page: PageRequest
  }

  static let endpoint = Endpoint<Params>(
    .simulated, "page", path: "/lists/\(\.list)",
    encoding: .query { params in
      let page = params.page
      guard ListServer.hasCursors(params.list) else {
        return ["size": String(page.size), "offset": String(page.offset)]
      }
      return ["size": String(page.size), "after": page.cursor]
    })

  func tags(for params: Params) -> Set<DataTag> { [Self.tag(of: params.list)] }

  func validate(_ response: APIResponse) throws(ResponseError) {
    guard PageBody(response.bytes) != nil else { throw .invalid("The body is not a page's.") }
  }

  static func tag(of list: Int) -> DataTag { DataTag("list \(list)") }
}

/// Adds an item to a list.
struct ItemAddition: API {
  static let endpoint = Endpoint<Int>(
    .simulated, "add", method: .post, path: "/lists/\(\.self)",
    encoding: .custom { _ throws(ParamsError) in .init(body: .bytes(Array("item".utf8))) })
}

/// An item of a list.
struct ListItem: Identifiable, Sendable, Hashable {
  let id: Int
  /// The account that may read it; empty if everybody may.
  let owner: String
}

extension PageBody {
  func pageContent(of list: Int) -> PageContent<ListItem> {
    let next: NextPage =
      ListServer.hasCursors(list)
      ? .cursor(items.last.flatMap { $0 > 1 ? String($0) : nil }) : .total(total)
    return PageContent(items.map { ListItem(id: $0, owner: owner) }, next: next)
  }
}

/// Reads a page for a screen.
struct PageReformer: Reformer {
  let list: Int

  func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> PageContent<ListItem> {
    guard let page = PageBody(response.bytes) else {
      throw DecodingMismatchError("The body is not a page's.")
    }
    return page.pageContent(of: list)
  }
}
