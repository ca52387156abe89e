import HTTPTypes
import Interception
import SwitchyardTesting
import Testing

@testable import RequestValidation

@Suite("Rules about APIs", .timeLimit(.minutes(5)))
struct RuleTableTests {
  private static let houses = APIIdentity(service: "estate", name: "houses.list")
  private static let condos = APIIdentity(service: "estate", name: "condos.list")

  private func request(_ path: String, _ api: APIIdentity?) -> Request {
    var request = Request(authority: "a.example", path: path)
    request.context.api = api
    return request
  }

  @Test("A request meets the rules about any API and about its own, and none of others")
  func selection() {
    let table = RuleTable([("a", nil), ("b", Self.houses), ("c", nil), ("d", Self.condos)], api: \.1)
    func names(_ api: APIIdentity?) -> [String] { table.rules(about: request("/", api)).map(\.0) }
    #expect(names(nil) == ["a", "c"])
    #expect(names(Self.houses) == ["a", "b", "c"])
    #expect(names(Self.condos) == ["a", "c", "d"])
    #expect(names(APIIdentity(service: "estate", name: "other")) == ["a", "c"])
    let empty = RuleTable<(String, APIIdentity?)>([], api: \.1)
    #expect(empty.isEmpty && !table.isEmpty)
  }

  @Test("One error names every constraint that a request does not meet, and no value")
  func allConstraints() async throws {
    let dispatcher = ScriptedDispatcher()
    let pipeline = try Pipeline(over: dispatcher) {
      ValidationInterceptor(rules: [
        .query("page", .required, .integer(in: 1...500), of: Self.houses),
        .query("city", .required, .length(1...40), of: Self.houses),
        .query("order", .oneOf(["asc", "desc"]), of: Self.houses),
        .field(.userAgent, .required, of: Self.houses),
      ])
    }
    let bad = request("/houses?page=s3cr3t&page=4&order=%FF", Self.houses)
    let error = await #expect(throws: NetworkError.self) { try await pipeline.send(bad) }
    #expect(error?.kind == .invalidRequest)
    let violations = try #require(error?.underlying(as: RuleViolationError.self)).violations
    #expect(
      violations == [
        "Correct the request of estate/houses.list: the query parameter page must be an integer from 1 to 500.",
        "Correct the request of estate/houses.list: the query parameter city is required.",
        "Correct the request of estate/houses.list: the query parameter order must be one of asc, desc.",
        "Correct the request of estate/houses.list: the header field User-Agent is required.",
      ])
    #expect(error?.reason.contains("s3cr3t") == false)
    #expect(dispatcher.requests.isEmpty)
    var good = request("/houses?page=4&city=Galt", Self.houses)
    good.head.headerFields[.userAgent] = "Estate/1"
    _ = try await pipeline.send(good)
    _ = try await pipeline.send(request("/condos?page=x", Self.condos))
    #expect(dispatcher.requests.count == 2)
  }

  @Test("Responses of an API must have its statuses, content types and header fields")
  func responses() async throws {
    let rules: [ResponseRule] = [
      .requiringStatus([200, 404], of: Self.houses),
      .requiringContentType(["application/json", "image/*"], of: Self.houses),
      .requiringFields([.eTag], of: Self.houses),
    ]
    func rulesViolated(_ status: HTTPResponse.Status, _ fields: HTTPFields, _ api: APIIdentity? = Self.houses)
      async throws -> [String]
    {
      let pipeline = try Pipeline(
        over: ScriptedDispatcher(answering: Response(status: status, headerFields: fields, bytes: [1]))
      ) { ValidationInterceptor(responseRules: rules) }
      do {
        _ = try await pipeline.send(request("/", api))
        return []
      } catch {
        #expect(error.kind == .rejected && error.requestMayHaveBeenProcessed)
        return error.underlying(as: RuleViolationError.self)?.breaches.map(\.rule) ?? []
      }
    }
    let tag: HTTPFields = [.eTag: "\"1\""]
    func typed(_ type: String) -> HTTPFields { [.eTag: "\"1\"", .contentType: type] }
    #expect(try await rulesViolated(.ok, typed("application/json; charset=utf-8")) == [])
    #expect(try await rulesViolated(.ok, typed("Image/PNG")) == [])
    #expect(try await rulesViolated(.notFound, tag) == [])
    #expect(try await rulesViolated(.ok, [:]) == ["content type", "response fields"])
    #expect(try await rulesViolated(.ok, typed("text/html")) == ["content type"])
    #expect(try await rulesViolated(.internalServerError, [:]) == ["status"])
    #expect(try await rulesViolated(.internalServerError, [:], Self.condos) == [])
  }
}
