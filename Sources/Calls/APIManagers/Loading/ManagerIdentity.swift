public import Interception

/// The identity of a manager: its API, and its name among several managers of that API.
public struct ManagerIdentity: Sendable, Hashable {
  /// The API.
  public let api: APIIdentity
  /// The name with which the manager was created, such as `nearby`, or nil.
  package let name: String?

  /// Creates an identity.
  public init(api: APIIdentity, name: String? = nil) {
    self.api = api
    self.name = name
  }
}

extension ManagerIdentity: CustomStringConvertible {
  /// The API, followed by the manager's name in parentheses, if any.
  public var description: String { name.map { "\(api) (\($0))" } ?? "\(api)" }
}
