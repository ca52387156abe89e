public import Mediation

/// A screen whose content is a document of the server.
public struct ServerScreenRoute: Route, Codable, Hashable {
  /// The URLs of such screens.
  public static let pattern: RoutePattern = "estate://screens/{name}"
  /// The app's own pages in a browser may show them.
  public static let exposure = Exposure.link([.web(host: "127.0.0.1")])

  /// The name of the document.
  public var name: String

  /// Creates a route to a screen.
  public init(name: String) { self.name = name }
}
