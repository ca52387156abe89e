public import ScreenContents

/// Places by latitude and longitude.
public struct PlaceMap: AppContent {
  /// The word for it in a document.
  public static let kind = "map"

  /// What a place is to the screen that shows it.
  public enum Role: String, Codable, Sendable {
    /// A card of the screen belongs to it.
    case listed
    /// It belongs to what the screen lists, and has no card yet.
    case found
    /// It is there for orientation.
    case surrounding
  }

  /// A place on a map.
  public struct Place: Codable, Sendable, Equatable, Identifiable {
    /// The number of the thing that is there, which its card has too.
    public var id: Int
    /// The name, such as a city.
    public var name: String
    /// What a reader learns about the place beside its name.
    public var detail: String
    /// Degrees north.
    public var latitude: Double
    /// Degrees east.
    public var longitude: Double
    /// What it is to the screen.
    public var role: Role

    /// Creates a place.
    public init(
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
  public struct Narrowing: Codable, Sendable, Equatable {
    /// The URL of the route, which may have a query.
    public var route: String
    /// The parameter for the name.
    public var parameter: String

    /// Creates a narrowing.
    public init(route: String, parameter: String) {
      self.route = route
      self.parameter = parameter
    }
  }

  /// The places.
  public var places: [Place]
  /// The URL of the screen of a place, without the place's number at its end; `nil` if places have none.
  public var placeRoute: String?
  /// How the screen is narrowed to places of one name; `nil` if it can't be.
  public var narrowing: Narrowing?

  /// Creates a map.
  public init(_ places: [Place], placeRoute: String? = nil, narrowing: Narrowing? = nil) {
    self.places = places
    self.placeRoute = placeRoute
    self.narrowing = narrowing
  }

  /// What the user can do with it.
  public var actions: [ScreenAction] {
    (placeRoute.map { route in places.map { .show($0.name, route + String($0.id)) } } ?? [])
      + (narrowing.map { narrowing in
        [.show("", narrowing.route, fields: [.text(narrowing.parameter, label: "")])]
      } ?? [])
  }
}
