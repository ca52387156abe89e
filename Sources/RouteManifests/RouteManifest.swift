public import Mediation

/// What an app can be asked for, as a value: its modules with their routes, for documents and checks.
///
/// Two manifests are equal if the app answers the same URLs in the same way; where in a file a route is
/// declared takes no part, so a committed manifest changes only when the routes do.
public struct RouteManifest: Sendable, Hashable, Codable {
  /// The app's name, for titles.
  public let app: String
  /// The app's identifiers, each a team's prefix and a bundle's: `ABCDE12345.example.estate`.
  ///
  /// They stand in `apple-app-site-association`; without one no such document is made.
  public let appIDs: [String]
  /// The modules that declare routes, sorted by name.
  public let modules: [Module]

  /// A module and its routes.
  public struct Module: Sendable, Hashable, Codable {
    /// The module's name.
    public let name: String
    /// Its routes by pattern, those without one last.
    public let routes: [Route]
  }

  /// A route of a module.
  public struct Route: Sendable, Hashable, Codable {
    /// The name of the route's type.
    public let name: String
    /// What the route is for; empty if its type does not say it.
    public let purpose: String
    /// Its patterns, the one that URLs are written by first; empty for a native route.
    public let patterns: [String]
    /// The placeholders of its patterns.
    public let parameters: [RouteDescription.Parameter]
    /// Who may reach it.
    public let reach: RouteDescription.Reach
    /// The ways in from outside by which it may be reached.
    public let sources: [RouteDescription.Source]
    /// The name of the type it answers.
    public let output: String
    /// The ids of the guards it passes, in their order.
    public let guards: [String]
    /// What settles an overlap with another pattern.
    public let priority: Int

    init(_ description: RouteDescription) {
      name = description.name
      purpose = description.purpose
      patterns = (description.pattern.map { [$0] } ?? []) + description.aliases
      parameters = description.parameters
      reach = description.reach
      sources = description.sources
      output = description.output
      guards = description.guards
      priority = description.priority
    }
  }

  /// Describes the routes of an app's mediator.
  ///
  /// - Parameters:
  ///   - app: The app's name.
  ///   - appIDs: The app's identifiers, for the association of web sites.
  ///   - routes: What `Mediator.routes` gives, in any order.
  public init(app: String, appIDs: [String] = [], routes: [RouteDescription]) {
    self.app = app
    self.appIDs = appIDs
    let byModule = Dictionary(grouping: routes, by: \.module)
    modules = byModule.keys.sorted().map { name in
      let routes = (byModule[name] ?? []).map(Route.init)
      return Module(name: name, routes: routes.sorted { $0.rank < $1.rank })
    }
  }

  /// All routes, each with the name of its module.
  var routes: [(module: String, route: Route)] {
    modules.flatMap { module in module.routes.map { (module.name, $0) } }
  }

  /// The ways in from outside that lead anywhere, sorted, each once.
  public var sources: [RouteDescription.Source] {
    Set(routes.flatMap(\.route.sources)).sorted { ($0.kind, $0.name ?? "") < ($1.kind, $1.name ?? "") }
  }
}

extension RouteManifest.Route {
  /// What routes are sorted by within their module: by pattern, native ones behind all others, by name.
  fileprivate var rank: (Int, String, String) { (patterns.isEmpty ? 1 : 0, patterns.first ?? "", name) }
}

extension RouteDescription.Source {
  /// The way in, in words.
  var words: String {
    switch (kind, name) {
    case ("scheme", let name?): "\(name)://"
    case ("universal", let name?): "https://\(name)"
    case ("web", let name?): "pages of \(name)"
    case (_, let name?): "\(kind) \(name)"
    case (_, nil): kind
    }
  }
}
