public import Mediation

/// The kinds of homes.
public enum HomeKind: String, RouteValue, CaseIterable, Hashable {
  /// A single-family house.
  case house
  /// A condominium.
  case condo
  /// A multi-family house.
  case multi
}
