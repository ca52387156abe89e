/// The kind of a home; the raw value is the one in the detail API.
package enum HomeKind: String, Sendable, Equatable, CaseIterable {
  case house
  case condo
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
