public import Mediation

/// The kinds of homes that are on offer.
public enum HomeKind: String, RouteValue, CaseIterable, Hashable {
  /// One family's house.
  case house
  /// A flat that is owned.
  case condo
  /// A house of several flats.
  case multi
}
