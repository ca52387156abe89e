import HTTPTypes
import Interception
import SwitchyardTesting

/// The API's lists, which grow at their head and are read page by page.
///
/// `/lists/N` is public if N is even, and belongs to the account of the token if it is odd. The first two
/// name the next page by a cursor, the others count items.
final class ListServer {
  private unowned let world: World
  private var lengths: [String: Int] = [:]

  init(_ world: World) { self.world = world }

  static let firstLength = 7
  static func isPrivate(_ index: Int) -> Bool { index % 2 == 1 }
  static func hasCursors(_ index: Int) -> Bool { index % 4 < 2 }

  /// The name of a list, as bodies have it.
  static func name(_ index: Int, of account: String?) -> String {
    isPrivate(index) ? "/lists/\(index) of \(account ?? "")" : "/lists/\(index)"
  }

  func length(_ name: String) -> Int { lengths[name, default: Self.firstLength] }
  /// The number of a list's changes, counted from 1.
  func version(_ name: String) -> Int { length(name) - Self.firstLength + 1 }
  /// Adds an item.
  func grow(_ name: String) { lengths[name] = length(name) + 1 }

  func reply(to arrival: SimulatedArrival, _ index: Int, account: String?, _ fields: HTTPFields) -> Response {
    var reply = Response(status: .ok, headerFields: fields)
    guard account != nil || !Self.isPrivate(index) && arrival.request.head.method == .get else {
      reply.head.headerFields[.wwwAuthenticate] = "Bearer"
      reply.head.status = .unauthorized
      return reply
    }
    let name = Self.name(index, of: account)
    if arrival.request.head.method != .get {
      grow(name)
      world.checks.listGrew(arrival)
    } else {
      let tag = "\"l\(version(name))\""
      reply.head.headerFields[.eTag] = tag
      reply.head.headerFields[.cacheControl] = Self.control(index)
      if arrival.field(.ifNoneMatch) == tag {
        reply.head.status = .notModified
        return reply
      }
    }
    reply.body = .bytes(page(name, index, QueryItems(arrival.request.head.path ?? ""), account).bytes)
    return reply
  }

  private func page(_ name: String, _ index: Int, _ query: QueryItems, _ account: String?) -> PageBody {
    func number(_ name: String) -> Int? {
      query.items.first { $0.name.elementsEqual(name.utf8) }
        .flatMap { Int(String(decoding: $0.value, as: UTF8.self)) }
    }
    let length = length(name)
    // The newest item has the highest number.
    let first = number("after").map { $0 - 1 } ?? (length - (number("offset") ?? 0))
    let last = max(first - (number("size") ?? 3) + 1, 1)
    return PageBody(
      list: name, version: version(name), owner: Self.isPrivate(index) ? account ?? "" : "", total: length,
      items: first >= last ? Array((last...first).reversed()) : [])
  }

  private static func control(_ index: Int) -> String {
    let text = ["max-age=30", "max-age=20, stale-while-revalidate=60", "no-cache", "max-age=10"][index % 4]
    return isPrivate(index) ? "private, \(text)" : text
  }
}

/// The body of a page of a list, by which checks know what it is.
struct PageBody: Sendable, Hashable {
  let list: String
  let version: Int
  /// The account that may read it; empty if everybody may.
  let owner: String
  /// The number of all items.
  let total: Int
  let items: [Int]

  init(list: String, version: Int, owner: String, total: Int, items: [Int]) {
    (self.list, self.version, self.owner, self.total) = (list, version, owner, total)
    self.items = items
  }

  /// The body as a resource's.
  var content: Content { Content(resource: list, version: version, owner: owner, language: "") }

  var bytes: [UInt8] {
    Array("\(list)|\(version)|\(owner)||\(total)|\(items.map(String.init).joined(separator: ","))".utf8)
  }

  init?(_ bytes: [UInt8]) {
    let parts = String(decoding: bytes, as: UTF8.self).split(separator: "|", omittingEmptySubsequences: false)
    guard parts.count == 6, let version = Int(parts[1]), let total = Int(parts[4]) else { return nil }
    self.init(
      list: String(parts[0]), version: version, owner: String(parts[2]), total: total,
      items: parts[5].split(separator: ",").compactMap { Int($0) })
  }
}
