/// The identity of an API: the names of its service and of the API within it.
public struct APIIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The service's name, such as `estate`.
  public let service: String
  /// The API's name within the service, such as `houses.list`.
  public let name: String

  /// Creates an identity.
  public init(service: String, name: String) {
    self.service = service
    self.name = name
  }

  /// Both names, separated by a slash.
  public var description: String { "\(service)/\(name)" }
}
