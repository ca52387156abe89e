import HTTPServing
import HTTPTypes
import Testing

@Suite("The router")
struct HTTPRouterTests {
  private func output(_ method: HTTPRequest.Method, _ target: String) async throws -> String? {
    var router = HTTPRouter<String>()
    router.on(.get, "/") { _ in "root" }
    router.on(.get, "/homes") { request in "homes?\(request.query ?? "")" }
    router.on(.post, "/homes") { _ in "post" }
    router.on(.get, "/homes/new") { _ in "new" }
    router.on(.get, "/homes/{id}") { _, id in "home \(id)" }
    let head = HTTPRequest(method: method, scheme: "https", authority: "a.test", path: target)
    return try await router.output(for: ReceivedRequest(head: head))
  }

  @Test(
    "A request is routed by its method and its path, and HEAD like GET",
    arguments: [
      (.get, "/", "root"), (.get, "/homes?a=/b", "homes?a=/b"), (.head, "/homes", "homes?"),
      (.post, "/homes", "post"), (.get, "/homes/new", "new"), (.get, "/homes/4%2F2?x", "home 4%2F2"),
    ] as [(HTTPRequest.Method, String, String)])
  func routed(method: HTTPRequest.Method, target: String, expected: String) async throws {
    #expect(try await output(method, target) == expected)
  }

  @Test(
    "Another spelling of a path matches no route",
    arguments: ["/homes/", "//homes", "/Homes", "/./homes", "/%68omes", "/homes/1/2", "", "*"])
  func unrouted(target: String) async throws {
    #expect(try await output(.get, target) == nil)
    #expect(try await output(.delete, "/homes") == nil)
  }
}
