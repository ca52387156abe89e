import CommandRunning
import Testing

/// Checks with the compiler that misuse of the API does not compile.
@Suite(.enabled(if: Typechecker.isAvailable, "needs swiftc in PATH and the build's Modules folder"))
struct MisuseTests {
  static let declarations = """
    import APIManagers
    import Interception
    extension Service { static let estate = Service("estate", at: ServiceAddress(authority: "api.example")) }
    struct Search: Encodable, Sendable { var city = "" }
    struct Houses: API { static let endpoint = Endpoint<Search>(.estate, "houses", path: "/houses/\\(\\.city)") }
    final class Owner { let number = 1 }

    """

  @Test("A1: One small type defines the name, service and method of an API", .timeLimit(.minutes(5)))
  func rightUse() async throws {
    let errors = try await Typechecker.errors(
      in: Self.declarations
        + """
        struct Post: API {
          static let endpoint = Endpoint<Search>(.estate, "houses.add", method: .post, path: "/houses")
        }
        @MainActor func load(_ client: APIClient) { APIManager(Post(), client: client).load(Search()) }
        """)
    #expect(errors == "")
  }

  @Test(
    "A1: Misuse does not compile", .timeLimit(.minutes(5)),
    arguments: [
      ("struct X: API { typealias Params = Search }", "does not conform to protocol 'API'"),
      ("struct X: API { static let endpoint = Endpoint<Search>(\"x\", path: \"/x\") }", "missing argument"),
      ("struct X: API { static let endpoint = Endpoint<Search>(.estate, path: \"/x\") }", "missing argument"),
      (
        "struct X: API { static let endpoint = Endpoint<Search>(.estate, \"x\", path: \"/\\(\\.town)\") }",
        "has no member 'town'"
      ),
      (
        "struct P: Sendable {}\nlet e = Endpoint<P>(.estate, \"x\", path: \"/x\")",
        "requires that 'P' conform to 'Encodable'"
      ),
      (
        "@MainActor func f(_ client: APIClient) { APIManager(Houses(), client: client).load(7) }",
        "cannot convert value of type 'Int'"
      ),
      (
        "@MainActor func f(_ m: APIManager<Houses>) { m.paramSource = ParamSource(Owner(), \\.number) }",
        "cannot be converted"
      ),
      ("func f(_ m: APIManager<Houses>) { m.load() }", "main actor-isolated"),
    ])
  func misuse(text: String, message: String) async throws {
    #expect(try await Typechecker.errors(in: Self.declarations + text).contains(message))
  }
}
