import APIManagers
import EstateContract
import Interception

/// Where all homes are, whatever the list shows of them.
struct PlacesAPI: API {
  typealias Output = HomePlaces

  /// A list must not wait for its map for long.
  private static let options = RequestOptions(timeouts: .init(call: .seconds(2)))

  static let endpoint = Endpoint<NoParams>(
    .estate, "homes.places", path: "/places",
    cacheRule: .timed(.seconds(3_600)).staleIfError(for: .seconds(86_400)), inFlight: .ignoreNew,
    options: options)
}
