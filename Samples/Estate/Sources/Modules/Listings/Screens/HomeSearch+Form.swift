import ListingsRoutes
import Screens

extension HomeSearch {
  /// The cities with the most homes, which are suggested.
  private static let cities = [
    "SACRAMENTO", "ELK GROVE", "ROSEVILLE", "CITRUS HEIGHTS", "ANTELOPE", "RANCHO CORDOVA",
    "EL DORADO HILLS", "LINCOLN", "NORTH HIGHLANDS", "GALT", "CARMICHAEL", "FOLSOM",
  ]
  private static let prices = [100_000, 150_000, 200_000, 250_000, 300_000, 400_000, 500_000, 750_000]

  /// The fields of the search, of which each change supersedes the load before.
  func form(_ kind: HomeKind) -> ScreenAction {
    let any = Fact("Any", "")
    let price = maximumPrice.map(String.init) ?? ""
    let beds = beds.map(String.init) ?? ""
    // A value from a URL that is none of the choices is still shown.
    let prices = Set(Self.prices + [maximumPrice].compactMap(\.self)).sorted()
    return .perform(
      "Filter", "estate://browse/filter",
      fields: [
        .choice(
          "kind", label: "Type", value: kind.rawValue,
          options: HomeKind.allCases.map { Fact($0.title, $0.rawValue) }),
        .text("city", label: "City", value: city ?? "", suggestions: Self.cities.map { Fact($0, $0) }),
        .choice(
          "max", label: "Price up to", value: price,
          options: [any] + prices.map { Fact(Amounts.dollars($0), "\($0)") }),
        .choice(
          "beds", label: "Bedrooms", value: beds,
          options: [any]
            + Set(Array(1...5) + [self.beds].compactMap(\.self)).sorted().map {
              Fact("\($0) or more", "\($0)")
            }),
      ])
  }
}
