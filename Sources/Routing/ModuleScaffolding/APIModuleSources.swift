/// The initial sources of a module that loads an API: a route, the API, its reformer, and their tests.
struct APIModuleSources {
  let name: ModuleName
  let scheme: String

  private var url: String { "\(scheme)://\(name.host)" }
  private var path: String { "/\(name.host)" }

  var route: String {
    """
    public import Mediation

    /// The first route of \(name), which returns the titles of its items.
    public struct \(name)Route: ParameterlessRoute {
      /// The output of the route.
      public typealias Output = [String]
      /// The URL of the route.
      public static let pattern: RoutePattern = "\(url)"
      /// Creates the route.
      public init() {}
    }

    """
  }

  var module: String {
    """
    public import APIManagers
    public import Mediation
    import \(name.contract)

    /// The business module \(name).
    public struct \(name)Module: BusinessModule {
      /// The module's name.
      public let name = "\(name)"
      private let client: APIClient

      /// Creates the module.
      ///
      /// - Parameter client: What the app's managers share, such as the dispatcher and the environment.
      public init(client: APIClient) { self.client = client }

      /// Declares the module's routes.
      public func declare(into table: inout RouteTable) {
        table.action(\(name)Route.self) { [client] _, _ in
          let manager = await APIManager(\(name)API(), client: client)
          return try await manager.load(.reformed(by: \(name)Reformer()), for: NoParams())
        }
      }
    }

    """
  }

  var api: String {
    """
    import APIManagers

    /// The API that lists the items of \(name).
    struct \(name)API: API {
      /// The server of the API; replace the address with that of your server.
      static let service = Service(
        "\(name.host)", at: ServiceAddress(authority: "api.example.com"))
      /// The name, the method and the path of the API.
      static let endpoint = Endpoint<NoParams>(service, "\(name.host).list", path: "\(path)")
    }

    """
  }

  var reformer: String {
    """
    import APIManagers

    /// Converts a response of `\(name)API` into the titles of its items.
    struct \(name)Reformer: Reformer {
      private struct Page: Decodable {
        struct Item: Decodable {
          let title: String
        }

        let items: [Item]
      }

      func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> [String] {
        try response.json(as: Page.self).items.map(\\.title)
      }
    }

    """
  }

  var moduleTests: String {
    """
    import APIManagers
    import HTTPTypes
    import Interception
    import Mediation
    import \(name)
    import \(name.contract)
    import SwitchyardTesting
    import Testing

    @Suite struct \(name)ModuleTests {
      private func mediator(_ server: ScriptedDispatcher) throws -> Mediator {
        try Mediator(
          schemes: ["\(scheme)"], modules: [\(name)Module(client: APIClient(dispatcher: server))])
      }

      @Test("The route returns the titles of the API's items, by its type and by its URL")
      func callingRoute() async throws {
        let page = #"{"items": [{"title": "First"}, {"title": "Second"}]}"#
        let server = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array(page.utf8)))
        let mediator = try mediator(server)
        #expect(try await mediator.call(\(name)Route()) == ["First", "Second"])
        #expect(try await mediator.open("\(url)", returning: [String].self) == ["First", "Second"])
        #expect(server.requests.map(\\.head.path) == ["\(path)", "\(path)"])
      }

      @Test("An error status of the server fails the call")
      func serverError() async throws {
        let mediator = try mediator(ScriptedDispatcher(answering: Response(status: .notFound)))
        await #expect(throws: RouteError.self) { try await mediator.call(\(name)Route()) }
      }
    }

    """
  }

  var apiTests: String {
    """
    import APIManagers
    import HTTPTypes
    import SwitchyardTesting
    import Testing

    @testable import \(name)

    @MainActor @Suite struct \(name)APITests {
      @Test("The API is requested by GET, at its service's address")
      func request() async throws {
        let server = ScriptedDispatcher()
        let manager = APIManager(\(name)API(), client: APIClient(dispatcher: server))
        _ = try await manager.load(.response, for: NoParams())
        let head = try #require(server.requests.first).head
        #expect(head.method == .get)
        #expect(head.authority == "api.example.com")
        #expect(head.path == "\(path)")
      }
    }

    """
  }

  /// Returns the tests of the reformer.
  ///
  /// - Parameter keyPath: Leads from what the reformer returns to a title; nil if it returns titles.
  func reformerTests(ofTitles keyPath: String? = nil) -> String {
    """
    import APIManagers
    import Testing

    @testable import \(name)

    @Suite struct \(name)ReformerTests {
      private func titles(_ text: String) throws -> [String] {
        try \(name)Reformer().reform(
          APIResponse(api: \(name)API.identity, bytes: Array(text.utf8)),
          from: ManagerIdentity(api: \(name)API.identity))\(keyPath.map { ".map(\($0))" } ?? "")
      }

      @Test("A page becomes the titles of its items, in order")
      func page() throws {
        #expect(try titles(#"{"items": [{"title": "b"}, {"title": "a"}]}"#) == ["b", "a"])
        #expect(try titles(#"{"items": []}"#).isEmpty)
      }

      @Test("A page with a missing field is a fault that names the field")
      func missingField() throws {
        let fault = #expect(throws: BodyDecodingError.self) { try titles(#"{"items": [{}]}"#) }
        #expect(try #require(fault).field?.contains("title") == true)
      }
    }

    """
  }
}
