import HTTPServing
import HTTPTypes
import Synchronization

/// The endpoint that counts the visits of a device, which a cookie identifies.
struct VisitRoute {
  private static let path = "/v1/visits"
  private static let cookie = "estate_device"

  private let visitors = Visitors()

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.post, Self.path) { [visitors] request in
      let (id, visits) = visitors.visit(Self.identifier(in: request.head.headerFields))
      let attributes = "Path=\(Self.path); Max-Age=31536000; Secure; HttpOnly; SameSite=Strict"
      return try Answer.json(
        ["visits": visits], fields: [.setCookie: "\(Self.cookie)=\(id); \(attributes)"])
    }
  }

  private static func identifier(in fields: HTTPFields) -> String? {
    for pair in fields[values: .cookie].joined(separator: ";").split(separator: ";") {
      let pair = pair.drop { $0 == " " }
      if pair.hasPrefix(cookie + "=") { return String(pair.dropFirst(cookie.count + 1)) }
    }
    return nil
  }
}

/// The numbers of visits of devices by their random identifiers, in memory.
final class Visitors: Sendable {
  private struct State {
    var visits: [String: Int] = [:]
    /// The identifiers, the oldest first.
    var order: [String] = []
  }

  /// The maximum number of devices; the oldest one is removed.
  static let capacity = 1000

  private let state = Mutex(State())

  /// Counts a visit of a device; one without a known identifier gets a new one, 16 random bytes in
  /// hexadecimal.
  func visit(_ id: String?) -> (id: String, visits: Int) {
    state.withLock { state in
      if let id, let visits = state.visits[id] {
        state.visits[id] = visits + 1
        return (id, visits + 1)
      }
      let id = Hexadecimal.random(16)
      if state.order.count >= Self.capacity { state.visits[state.order.removeFirst()] = nil }
      state.order.append(id)
      state.visits[id] = 1
      return (id, 1)
    }
  }
}
