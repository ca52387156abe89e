/// The kind of a home; the raw value is the one in the detail API.
public enum HomeKind: String, Sendable, Equatable, CaseIterable {
  /// A single-family house.
  case house
  /// A condominium.
  case condo
  /// A multi-family house.
  case multiFamily = "multi_family"

  /// Creates the kind of a word in the listings file, or `nil`.
  init?(listed word: String) {
    switch word {
    case "Residential": self = .house
    case "Condo": self = .condo
    case "Multi_Family": self = .multiFamily
    default: return nil
    }
  }
}
