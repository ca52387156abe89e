import Mediation

/// The numbers of some homes, as in `1,42,7`.
package struct HomeNumbers: RouteValue, Codable, Hashable {
  /// Numbers with which the route's properties are checked at startup.
  package static let routeSample: String? = "1,42,7"
  private static let maximum = 8

  package let numbers: [Int]

  /// Reads numbers with commas between them; nil if the text is anything else, or has more than the maximum.
  package init?(routeText: String) {
    let texts = routeText.split(separator: ",", maxSplits: Self.maximum, omittingEmptySubsequences: false)
    numbers = texts.compactMap { Int(routeText: String($0)) }
    guard numbers.count == texts.count, (1...Self.maximum).contains(numbers.count) else { return nil }
  }

  package var routeText: String { numbers.map(\.routeText).joined(separator: ",") }
}
