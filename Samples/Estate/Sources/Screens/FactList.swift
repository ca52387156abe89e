/// Properties with their values.
public struct FactList: Codable, Sendable, Equatable {
  /// How the facts are written.
  public enum Style: String, Codable, Sendable {
    /// Values with their units, one after another, such as `3 bedrooms, 900 sqft`.
    case summary
    /// A label and a value for each fact.
    case labelled
  }

  /// How the facts are written.
  public var style: Style
  /// The facts.
  public var facts: [Fact]

  /// Creates a list of facts.
  public init(_ style: Style, _ facts: [Fact]) {
    self.style = style
    self.facts = facts
  }
}

/// A property with its value.
public struct Fact: Codable, Sendable, Equatable {
  /// The name of the property, such as `Bedrooms`.
  public var label: String
  /// The value, such as `3`.
  public var value: String
  /// The unit, such as `bedrooms`; `nil` if the value has none.
  public var unit: String?

  /// Creates a fact.
  public init(_ label: String, _ value: String, unit: String? = nil) {
    self.label = label
    self.value = value
    self.unit = unit
  }

  /// The value with its unit.
  public var text: String { unit.map { "\(value) \($0)" } ?? value }
}

/// The properties from which a home is drawn.
public struct HomePicture: Codable, Sendable, Equatable, Hashable {
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
}
