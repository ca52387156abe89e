public import Interception

/// Which manager an answer belongs to: its API, and which of several managers of that API.
public struct ManagerIdentity: Sendable, Hashable {
  /// The API.
  public let api: APIIdentity
  /// The name that the manager was made with, such as `nearby`; nil without one.
  public let name: String?

  /// Makes an identity.
  public init(api: APIIdentity, name: String? = nil) {
    self.api = api
    self.name = name
  }
}

extension ManagerIdentity: CustomStringConvertible {
  /// The API, and the manager's name in parentheses.
  public var description: String { name.map { "\(api) (\($0))" } ?? "\(api)" }
}
