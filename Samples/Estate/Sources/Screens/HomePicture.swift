public import ScreenContents

/// The properties from which a home is drawn.
public struct HomePicture: AppContent {
  /// The word for it in a document.
  public static let kind = "home"

  /// The kinds of homes that look different.
  public enum Kind: String, Codable, Sendable {
    /// A house of one family.
    case house
    /// A flat in a building.
    case condo
    /// A row of houses.
    case multiFamily
  }

  /// The kind of the home.
  public var kind: Kind
  /// The home's number, which decides what its other properties do not.
  public var home: Int
  /// The size in square feet.
  public var squareFeet: Int
  /// The number of bedrooms.
  public var beds: Int

  /// Creates the properties of a drawing.
  public init(_ kind: Kind, home: Int, squareFeet: Int, beds: Int) {
    self.kind = kind
    self.home = home
    self.squareFeet = squareFeet
    self.beds = beds
  }

  /// What the user can do with it.
  public var actions: [ScreenAction] { [] }
}
