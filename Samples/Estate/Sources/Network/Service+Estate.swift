public import APIManagers

extension Service {
  /// The sample's API server.
  public static let estate = Service(
    "estate", at: ServiceAddress(authority: Service.estateHost, version: "v1"))

  /// The server's name, which only the app's own address list resolves.
  public static let estateHost = "api.estate.test"

  /// A name of the same address that the server's certificate does not cover.
  public static let strangerHost = "stranger.estate.test"
}
