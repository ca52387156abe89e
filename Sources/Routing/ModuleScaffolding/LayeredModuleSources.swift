/// The initial sources of a module in layers: a route that shows a screen, a type for each layer, and tests.
struct LayeredModuleSources {
  let name: ModuleName
  let scheme: String
  /// Whether the service loads an API, rather than making its items.
  let withAPI: Bool

  private var url: String { "\(scheme)://\(name.host)" }
  private var api: APIModuleSources { APIModuleSources(name: name, scheme: scheme) }

  var route: String {
    """
    public import Mediation

    /// The route of \(name)'s first screen.
    public struct \(name)Route: ParameterlessRoute {
      /// The URL of the route.
      public static let pattern: RoutePattern = "\(url)"
      /// Creates the route.
      public init() {}
    }

    """
  }

  var module: String {
    let creating =
      withAPI
      ? """
        private let client: APIClient

        /// Creates the module.
        ///
        /// - Parameter client: What the app's managers share, such as the dispatcher and the environment.
        public init(client: APIClient) { self.client = client }
      """
      : """

        /// Creates the module.
        public init() {}
      """
    return """
      \(withAPI ? "public import APIManagers\n" : "")public import Mediation
      import Navigation
      import \(name.contract)

      /// The business module \(name).
      public struct \(name)Module: BusinessModule {
        /// The module's name.
        public let name = "\(name)"
      \(creating)

        /// Declares the module's routes.
        public func declare(into table: inout RouteTable) {
          let center = \(name)Center()
          table.screen(\(name)Route.self) { \(withAPI ? "[client] " : "")_, _ in
            let service = \(name)Service(\(withAPI ? "client: client, " : "")center: center)
            return \(name)Screen(items: try await service.items())
          }
        }
      }

      """
  }

  var item: String {
    """
    /// What a screen of \(name) shows.
    struct \(name)Item: Sendable, Hashable {
      let title: String
    }

    """
  }

  var center: String {
    """
    /// Keeps the items that \(name) has fetched.
    @MainActor final class \(name)Center {
      /// The items of the last fetch.
      private(set) var items: [\(name)Item] = []

      nonisolated init() {}

      func keep(_ items: [\(name)Item]) { self.items = items }
    }

    """
  }

  var service: String {
    let fetching =
      withAPI
      ? """
          let manager = APIManager(\(name)API(), client: client)
          center.keep(try await manager.load(.reformed(by: \(name)Reformer()), for: NoParams()))
      """
      : """
          center.keep([\(name)Item(title: "\(name) is here")])
      """
    return """
      \(withAPI ? "import APIManagers\n\n" : "")/// Fetches the items of \(name).
      @MainActor struct \(name)Service {
      \(withAPI ? "  let client: APIClient\n" : "")  let center: \(name)Center

        /// Fetches the items and keeps them.
        func items() async throws -> [\(name)Item] {
      \(fetching)
          return center.items
        }
      }

      """
  }

  var reformer: String {
    """
    import APIManagers

    /// Converts a response of `\(name)API` into the items of \(name).
    struct \(name)Reformer: Reformer {
      private struct Page: Decodable {
        struct Entry: Decodable {
          let title: String
        }

        let items: [Entry]
      }

      func reform(_ response: APIResponse, from manager: ManagerIdentity) throws -> [\(name)Item] {
        try response.json(as: Page.self).items.map { \(name)Item(title: $0.title) }
      }
    }

    """
  }

  var screen: String {
    """
    import Navigation

    /// Shows the items of \(name).
    struct \(name)Screen: Screen {
      let title = "\(name)"
      let items: [\(name)Item]
    }

    """
  }

  var moduleTests: String {
    withAPI
      ? """
      import APIManagers
      import HTTPTypes
      import Interception
      import Mediation
      import MediationTesting
      import \(name)
      import \(name.contract)
      import SwitchyardTesting
      import Testing

      @MainActor @Suite struct \(name)ModuleTests {
        private func run(_ server: ScriptedDispatcher) throws -> MediationRun {
          let module = \(name)Module(client: APIClient(dispatcher: server))
          return try MediationKit(schemes: ["\(scheme)"], modules: [module]).start()
        }

        @Test("The URL shows the screen with what the API returns")
        func showing() async throws {
          let page = #"{"items": [{"title": "First"}, {"title": "Second"}]}"#
          let server = ScriptedDispatcher(answering: Response(status: .ok, bytes: Array(page.utf8)))
          let run = try run(server)
          try await run.mediator.open("\(url)")
          #expect(run.host.titles == ["\(name)"])
          #expect(server.requests.map(\\.head.path) == ["/\(name.host)"])
        }

        @Test("An error status of the server fails the call, and no screen is shown")
        func serverError() async throws {
          let run = try run(ScriptedDispatcher(answering: Response(status: .notFound)))
          await #expect(throws: RouteError.self) { try await run.mediator.call(\(name)Route()) }
          #expect(run.host.titles.isEmpty)
        }
      }

      """
      : """
      import Mediation
      import MediationTesting
      import \(name)
      import \(name.contract)
      import Testing

      @MainActor @Suite struct \(name)ModuleTests {
        private func run() throws -> MediationRun {
          try MediationKit(schemes: ["\(scheme)"], modules: [\(name)Module()]).start()
        }

        @Test("The route shows the screen, by its type and by its URL")
        func showing() async throws {
          let byType = try run()
          try await byType.mediator.call(\(name)Route())
          #expect(byType.host.titles == ["\(name)"])
          let byURL = try run()
          try await byURL.mediator.open("\(url)")
          #expect(byURL.host.titles == ["\(name)"])
        }
      }

      """
  }

  /// Returns the files of the contract, the module and its tests.
  func files(_ layout: PackageLayout) -> [NewModulePlan.File] {
    let module = "\(layout.modules)/\(name)"
    let tests = "\(layout.tests)/\(name.tests)"
    var files: [NewModulePlan.File] = [
      .init(path: "\(layout.contracts)/\(name.contract)/\(name)Route.swift", text: route),
      .init(path: "\(module)/\(name)Module.swift", text: self.module),
      .init(path: "\(module)/Items/\(name)Item.swift", text: item),
      .init(path: "\(module)/DataCenter/\(name)Center.swift", text: center),
      .init(path: "\(module)/Services/\(name)Service.swift", text: service),
      .init(path: "\(module)/Screens/\(name)Screen.swift", text: screen),
      .init(path: "\(tests)/\(name)ModuleTests.swift", text: moduleTests),
    ]
    if withAPI {
      files += [
        .init(path: "\(module)/Services/\(name)API.swift", text: api.api),
        .init(path: "\(module)/Services/\(name)Reformer.swift", text: reformer),
        .init(path: "\(tests)/\(name)APITests.swift", text: api.apiTests),
        .init(path: "\(tests)/\(name)ReformerTests.swift", text: api.reformerTests(ofTitles: "\\.title")),
      ]
    }
    return files
  }
}
