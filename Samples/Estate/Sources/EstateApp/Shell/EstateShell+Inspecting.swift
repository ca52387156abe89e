import EstateNetwork
import Foundation
package import Inspection
import RouteManifests
import Switchyard

extension EstateShell {
  nonisolated static func observers(
    _ console: any Console, _ journal: ActivityJournal?, _ inspector: Inspector?
  ) -> [any RouteObserver] {
    var observers: [any RouteObserver] = [RouteReport(console: console)]
    if let journal { observers.append(ActivityObserver(journal: journal, inspector: inspector)) }
    if let inspector { observers.append(inspector) }
    return observers
  }

  /// Lets the inspector send requests again and draw the routes, and notes changes of the network.
  nonisolated static func inspect(
    _ network: NetworkStack, _ mediator: Mediator, with inspector: Inspector
  ) {
    inspector.replays(through: network.pipeline) { [session = network.session] in session.name ?? "" }
    inspector.showsRoutes { [manifest = manifest(of: mediator)] in manifest.drawing(lighting: $0) }
    // The stream ends with the app.
    Task { [statuses = network.switches.network.changes, weak inspector] in
      for await status in statuses { inspector?.note("The network is \(status)", about: .network) }
    }
  }
}

extension Inspector {
  /// Creates an inspector that shows what is public of the sample: homes, rates and pages of help, and no
  /// credentials.
  package static func estate() -> Inspector {
    let names: Set<String> = [
      "page", "pages", "count", "total", "records", "city", "town", "place", "type", "kind", "zip", "zipcode",
      "postcode", "id", "ref", "condo_id", "beds", "bedrooms", "bed_count", "br", "baths", "bathrooms",
      "bath_count", "ba", "sqft", "square_feet", "area_sqft", "size", "price", "price_usd", "asking_price",
      "cost", "lat", "lng", "lon", "years", "percent", "homes", "error", "message",
    ]
    return Inspector(
      app: "Estate", redaction: Redaction(showingQueryValuesOf: names), showsOtherBodies: true,
      alwaysRecordsSteps: true)
  }
}
