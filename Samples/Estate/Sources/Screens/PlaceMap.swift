package import ScreenContents

/// Places by latitude and longitude.
package struct PlaceMap: AppContent {
  package static let kind = "map"

  /// What a place is to the screen that shows it.
  package enum Role: String, Codable, Sendable {
    /// A card of the screen belongs to it.
    case listed
    /// It belongs to what the screen lists, and has no card yet.
    case found
    /// It is there for orientation.
    case surrounding
  }

  /// A place on a map.
  package struct Place: Codable, Sendable, Equatable, Identifiable {
    /// The number of the thing that is there, which its card has too.
    package var id: Int
    /// The name, such as a city.
    package var name: String
    /// What a reader learns about the place beside its name.
    package var detail: String
    /// Degrees north.
    package var latitude: Double
    /// Degrees east.
    package var longitude: Double
    /// What it is to the screen.
    package var role: Role

    package init(
      id: Int, name: String, detail: String, latitude: Double, longitude: Double, role: Role = .listed
    ) {
      self.id = id
      self.name = name
      self.detail = detail
      self.latitude = latitude
      self.longitude = longitude
      self.role = role
    }
  }

  /// A route that lists only what has a place of a given name.
  package struct Narrowing: Codable, Sendable, Equatable {
    /// The URL of the route, which may have a query.
    package var route: String
    /// The parameter for the name.
    package var parameter: String

    package init(route: String, parameter: String) {
      self.route = route
      self.parameter = parameter
    }
  }

  package var places: [Place]
  /// The URL of the screen of a place, without the place's number at its end; `nil` if places have none.
  package var placeRoute: String?
  /// How the screen is narrowed to places of one name; `nil` if it can't be.
  package var narrowing: Narrowing?

  package init(_ places: [Place], placeRoute: String? = nil, narrowing: Narrowing? = nil) {
    self.places = places
    self.placeRoute = placeRoute
    self.narrowing = narrowing
  }

  package var actions: [ScreenAction] {
    (placeRoute.map { route in places.map { .show($0.name, route + String($0.id)) } } ?? [])
      + (narrowing.map { narrowing in
        [.show("", narrowing.route, fields: [.text(narrowing.parameter, label: "")])]
      } ?? [])
  }
}
