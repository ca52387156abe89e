import Foundation
public import Mediation

/// The routes of an app as a value, by module, for documents and checks.
///
/// Two manifests are equal if the app handles the same URLs in the same way. A manifest has no source
/// locations, so a committed manifest changes only when the routes do.
public struct RouteManifest: Sendable, Hashable, Codable {
  /// The name of the app, for titles.
  public let app: String
  /// The identifiers of the app, each a team prefix and a bundle identifier: `ABCDE12345.example.estate`.
  ///
  /// `apple-app-site-association` lists them. Without identifiers, that file is not written.
  public let appIDs: [String]
  /// The modules that declare routes, sorted by name.
  public let modules: [Module]

  /// A module and its routes.
  public struct Module: Sendable, Hashable, Codable {
    /// The name of the module.
    public let name: String
    /// The routes sorted by pattern, native ones last.
    public let routes: [Route]
    /// The routes and providers that the module declares to need, in the order of their declaration.
    public let needs: [Need]
  }

  /// A route or a provider that a module needs.
  public struct Need: Sendable, Hashable, Codable {
    /// What is needed.
    public enum Kind: String, Sendable, Hashable, Codable {
      /// A route.
      case route
      /// An object that a module provides by its type.
      case provider
    }

    /// Whether it is a route or a provider.
    public let kind: Kind
    /// The name of the type.
    public let name: String
    /// The module that declares it.
    public let module: String
  }

  /// A route of a module.
  public struct Route: Sendable, Hashable, Codable {
    /// The name of the route's type.
    public let name: String
    /// The purpose of the route; empty if its type declares none.
    public let purpose: String
    /// The patterns, beginning with the one that URLs are written with; empty for a native route.
    public let patterns: [String]
    /// The placeholders of its patterns.
    public let parameters: [RouteDescription.Parameter]
    /// The callers that can reach the route.
    public let reach: RouteDescription.Reach
    /// The outside sources that can reach the route.
    public let sources: [RouteDescription.Source]
    /// The name of the output type.
    public let output: String
    /// The identifiers of its guards, in order.
    public let guards: [String]
    /// The priority, which resolves an overlap with another pattern.
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

  /// Creates the manifest of an app from its mediator.
  ///
  /// - Parameters:
  ///   - app: The name of the app.
  ///   - appIDs: The identifiers of the app, for the association of web sites.
  ///   - mediator: The app's mediator.
  public init(app: String, appIDs: [String] = [], mediator: Mediator) {
    let needs = mediator.modules.map { module in
      (module.name, module.needs.compactMap { Need(named: $0.name, of: $0.module) })
    }
    self.init(
      app: app, appIDs: appIDs, routes: mediator.routes, needs: Dictionary(needs) { first, _ in first })
  }

  /// Creates a manifest from routes in any order, and the needs by the names of modules.
  package init(
    app: String, appIDs: [String] = [], routes: [RouteDescription], needs: [String: [Need]] = [:]
  ) {
    self.app = app
    self.appIDs = appIDs
    let byModule = Dictionary(grouping: routes, by: \.module)
    modules = byModule.keys.sorted().map { name in
      let routes = (byModule[name] ?? []).map(Route.init)
      return Module(
        name: name, routes: routes.sorted { $0.rank < $1.rank }, needs: needs[name] ?? [])
    }
  }

  /// All routes with the names of their modules.
  var routes: [(module: String, route: Route)] {
    modules.flatMap { module in module.routes.map { (module.name, $0) } }
  }

  /// The outside sources that can reach at least one route, sorted and without duplicates.
  package var sources: [RouteDescription.Source] {
    Set(routes.flatMap(\.route.sources)).sorted { ($0.kind, $0.name ?? "") < ($1.kind, $1.name ?? "") }
  }
}

extension RouteManifest.Route {
  /// The sort key of a route within its module: its pattern, with native routes last, then its name.
  fileprivate var rank: (Int, String, String) { (patterns.isEmpty ? 1 : 0, patterns.first ?? "", name) }
}

extension RouteManifest.Need {
  /// Creates a need from its phrase; nil if the environment meets it, not a module.
  fileprivate init?(named phrase: String, of module: String?) {
    let words = phrase.split(separator: " ", maxSplits: 1)
    guard let module, words.count == 2, let kind = Kind(rawValue: String(words[0])) else { return nil }
    self.init(kind: kind, name: String(words[1]), module: module)
  }
}

extension RouteDescription.Source {
  /// The source in words.
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

extension Encodable {
  /// Returns the value as JSON with sorted keys on separate lines and a trailing newline.
  func sortedJSON() throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(self), as: UTF8.self) + "\n"
  }
}

extension RouteManifest {
  /// Returns the manifest as JSON, which `JSONDecoder` can decode.
  package func json() throws -> String { try sortedJSON() }

  /// The schemes by which other apps can open this app: those that a route names among its sources.
  ///
  /// A scheme that only code of the app uses needs no registration in `Info.plist`.
  package var registeredSchemes: [String] {
    sources.filter { $0.kind == "scheme" }.compactMap(\.name)
  }

  /// Returns a property list with `CFBundleURLTypes`, to be merged into the app's `Info.plist`.
  package func infoPlist() throws -> String {
    struct URLType: Encodable {
      let CFBundleTypeRole = "Viewer"
      let CFBundleURLName: String
      let CFBundleURLSchemes: [String]
    }
    struct InfoPlist: Encodable {
      let CFBundleURLTypes: [URLType]
    }
    let schemes = registeredSchemes
    let types = schemes.isEmpty ? [] : [URLType(CFBundleURLName: app, CFBundleURLSchemes: schemes)]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .xml
    return String(decoding: try encoder.encode(InfoPlist(CFBundleURLTypes: types)), as: UTF8.self)
  }
}
