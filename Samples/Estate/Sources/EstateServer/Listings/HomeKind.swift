/// What sort of home it is; the raw value is the word of the detail API.
public enum HomeKind: String, Sendable, Equatable, CaseIterable {
  /// A house on its own.
  case house
  /// A flat in a shared building.
  case condo
  /// A building with several households.
  case multiFamily = "multi_family"

  /// The kind that a word of the listings file stands for, or `nil`.
  init?(listed word: String) {
    switch word {
    case "Residential": self = .house
    case "Condo": self = .condo
    case "Multi_Family": self = .multiFamily
    default: return nil
    }
  }
}
