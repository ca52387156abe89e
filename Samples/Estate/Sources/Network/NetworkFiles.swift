/// The paths of the files in which the network layer keeps what should survive the app's end; each is `nil`
/// if it should not.
public struct NetworkFiles: Sendable, Hashable {
  /// The file with the cookies.
  public var cookies: String?
  /// The file with the choice of environments.
  public var environments: String?
  /// The folder with stored responses.
  public var responses: String?
  /// The file with the list of the server's addresses.
  public var addresses: String?

  /// Creates the paths of files; by default nothing is kept.
  public init(
    cookies: String? = nil, environments: String? = nil, responses: String? = nil, addresses: String? = nil
  ) {
    self.cookies = cookies
    self.environments = environments
    self.responses = responses
    self.addresses = addresses
  }
}
