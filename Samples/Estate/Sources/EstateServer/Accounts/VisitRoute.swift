import HTTPServing
import HTTPTypes

/// The endpoint that counts the visits of a device, which a cookie identifies.
struct VisitRoute {
  private struct VisitsBody: Encodable {
    let visits: Int
  }

  private static let path = "/v1/visits"
  private static let cookie = "estate_device"

  let visitors = Visitors()

  func add(to router: inout HTTPRouter<Answer>) {
    router.on(.post, Self.path) { request in
      let (id, visits) = visitors.visit(Self.identifier(in: request.head.headerFields))
      let attributes = "Path=\(Self.path); Max-Age=31536000; Secure; HttpOnly; SameSite=Strict"
      return try Answer.json(
        VisitsBody(visits: visits), fields: [.setCookie: "\(Self.cookie)=\(id); \(attributes)"])
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
