public import Mediation

/// The numbers of some homes, as in `1,42,7`.
public struct HomeNumbers: RouteValue, Codable, Hashable {
  /// Numbers with which the route's properties are checked at startup.
  public static let routeSample: String? = "1,42,7"
  /// The maximum number of homes.
  public static let maximum = 8

  /// The numbers, in their order.
  public let numbers: [Int]

  /// Creates numbers; nil if there are none, or more than the maximum.
  public init?(_ numbers: [Int]) {
    guard (1...Self.maximum).contains(numbers.count) else { return nil }
    self.numbers = numbers
  }

  /// Reads numbers with commas between them; nil if the text is anything else.
  public init?(routeText: String) {
    let texts = routeText.split(separator: ",", maxSplits: Self.maximum, omittingEmptySubsequences: false)
    let numbers = texts.compactMap { Int(routeText: String($0)) }
    guard numbers.count == texts.count, let checked = HomeNumbers(numbers) else { return nil }
    self = checked
  }

  /// The numbers with commas between them.
  public var routeText: String { numbers.map(\.routeText).joined(separator: ",") }
}
