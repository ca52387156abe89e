import APIManagers
import Screens

/// The screen of several homes, property by property.
struct CompareScreen: ContentScreen {
  let content: ScreenContent

  /// Creates the screen of homes, each of which may be missing.
  init(_ numbers: [Int], _ homes: [Result<LoadedHome, any Error>]) {
    let subjects = zip(numbers, homes).map { number, home in
      let (name, route) = ("#\(number)", "estate://home/\(number)")
      return switch home {
      case .success(let loaded): Comparison.Subject(name, route: route, values: Self.values(of: loaded.home))
      case .failure(let error):
        Comparison.Subject(name, route: route, failure: (error as? APIError)?.reason ?? "\(error)")
      }
    }
    content = ScreenContent(
      title: "Homes side by side",
      blocks: [
        .comparison(
          Comparison(["City", "Kind", "Bedrooms", "Bathrooms", "Size", "Price", "Per sqft"], of: subjects))
      ])
  }

  private static func values(of home: Home) -> [String] {
    [
      "\(home.city) \(home.zip)", home.kind.split(separator: "_").joined(separator: "-"), "\(home.beds) bd",
      "\(Amounts.number(home.baths)) ba", "\(home.sqft) sqft", Amounts.dollars(home.price),
      home.sqft > 0 ? Amounts.dollars(home.price / home.sqft) : "unknown",
    ]
  }
}
