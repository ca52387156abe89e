/// The kinds of homes.
public enum HomeKind: String, Codable, CaseIterable, Sendable {
  /// A single-family house.
  case house
  /// A condominium.
  case condo
  /// A multi-family house.
  case multi
}
