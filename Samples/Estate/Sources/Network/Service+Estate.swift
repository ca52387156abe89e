public import APIManagers

extension Service {
  /// The sample's API server.
  public static let estate = Service(
    "estate", at: ServiceAddress(authority: Service.estateHost, version: "v1"))

  /// The name of the server: no DNS knows it, the app's own address list does.
  public static let estateHost = "api.estate.test"

  /// Another name of the same address, for which the server has no certificate.
  public static let strangerHost = "stranger.estate.test"
}
