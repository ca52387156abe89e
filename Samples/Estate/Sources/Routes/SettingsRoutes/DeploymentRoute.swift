public import Mediation

/// Lets the server of the demonstration publish a deployment document, and receives it.
public struct DeploymentRoute: Route, Codable, Hashable {
  /// The lines that say what has become of the document.
  public typealias Output = String
  /// The URLs of the documents.
  public static let pattern: RoutePattern =
    "estate://settings/deployment/{change:none|spring|deadly|forged}"
  /// The line in the manifest.
  public static let purpose = "Receives a deployment document."

  /// What the document changes.
  public var change: DeploymentChange

  /// Creates the route.
  public init(change: DeploymentChange) { self.change = change }
}

/// What a document of the demonstration changes.
public enum DeploymentChange: String, Codable, Sendable, Hashable {
  /// Nothing: the app works as it was built.
  case none
  /// A price label, a redirect, and a module that is switched off.
  case spring
  /// A flag at which the app of the demonstration dies; it is tried in a folder of its own.
  case deadly
  /// The signature is not valid.
  case forged
}
