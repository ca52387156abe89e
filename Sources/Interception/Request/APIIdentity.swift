/// The name of an API: its service and its name within the service.
public struct APIIdentity: Sendable, Hashable, CustomStringConvertible {
  /// The service, such as `estate`.
  public let service: String
  /// The API's name within the service, such as `houses.list`.
  public let name: String

  /// Makes an identity.
  public init(service: String, name: String) {
    self.service = service
    self.name = name
  }

  /// Both names, joined by a slash.
  public var description: String { "\(service)/\(name)" }
}
