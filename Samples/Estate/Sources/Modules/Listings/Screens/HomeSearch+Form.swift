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
  func form(_ kind: HomeKind) -> ContentForm {
    let any = ContentForm.Field.Option("", "Any")
    let price = maximumPrice.map(String.init) ?? ""
    let beds = beds.map(String.init) ?? ""
    // A value from a URL that is none of the choices is still shown.
    let prices = Set(Self.prices + [maximumPrice].compactMap(\.self)).sorted()
    return ContentForm(
      "Filter", route: "estate://browse/filter",
      fields: [
        .init(
          "kind", "Type", .choice, value: kind.rawValue,
          options: HomeKind.allCases.map { .init($0.rawValue, $0.title) }),
        .init("city", "City", .text, value: city ?? "", options: Self.cities.map { .init($0, $0) }),
        .init(
          "max", "Price up to", .choice, value: price,
          options: [any] + prices.map { .init("\($0)", Amounts.dollars($0)) }),
        .init(
          "beds", "Bedrooms", .choice, value: beds,
          options: [any]
            + Set(Array(1...5) + [self.beds].compactMap(\.self)).sorted().map {
              .init("\($0)", "\($0) or more")
            }),
      ], submitsChanges: true)
  }
}
