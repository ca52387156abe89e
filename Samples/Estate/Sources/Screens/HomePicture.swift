package import ScreenContents

/// The properties from which a home is drawn.
package struct HomePicture: AppContent {
  package static let kind = "home"

  /// The kinds of homes that look different.
  package enum Kind: String, Codable, Sendable {
    case house
    case condo
    case multiFamily
  }

  package var kind: Kind
  /// The home's number, which decides what its other properties do not.
  package var home: Int
  package var squareFeet: Int
  package var beds: Int

  package init(_ kind: Kind, home: Int, squareFeet: Int, beds: Int) {
    self.kind = kind
    self.home = home
    self.squareFeet = squareFeet
    self.beds = beds
  }

  package var actions: [ScreenAction] { [] }
}
