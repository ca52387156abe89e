/// The initial sources of a module: one route that returns a string, and its test.
struct ModuleSources {
  let name: ModuleName
  let scheme: String

  private var url: String { "\(scheme)://\(name.host)" }

  var route: String {
    """
    public import Mediation

    /// The first route of \(name), which returns a string.
    public struct \(name)Route: ParameterlessRoute {
      /// The output of the route.
      public typealias Output = String
      /// The URL of the route.
      public static let pattern: RoutePattern = "\(url)"
      /// Creates the route.
      public init() {}
    }

    """
  }

  var module: String {
    """
    public import Mediation
    import \(name.contract)

    /// The business module \(name).
    public struct \(name)Module: BusinessModule {
      /// The module's name.
      public let name = "\(name)"

      /// Creates the module.
      public init() {}

      /// Declares the module's routes.
      public func declare(into table: inout RouteTable) {
        table.action(\(name)Route.self) { _, _ in "\(name) is here" }
      }
    }

    """
  }

  var tests: String {
    """
    import Mediation
    import \(name)
    import \(name.contract)
    import Testing

    @Suite struct \(name)ModuleTests {
      @Test("The route can be called by its type and by its URL")
      func callingRoute() async throws {
        let mediator = try Mediator(schemes: ["\(scheme)"], modules: [\(name)Module()])
        #expect(try await mediator.call(\(name)Route()) == "\(name) is here")
        #expect(try await mediator.open("\(url)", returning: String.self) == "\(name) is here")
      }
    }

    """
  }
}
