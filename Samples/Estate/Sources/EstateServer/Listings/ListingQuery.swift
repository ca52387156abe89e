/// The query of a list API: a page and filters.
package struct ListingQuery: Sendable, Equatable {
  /// The page's number, 1...100 000.
  package var page = 1
  /// The number of homes on a page, 1...100.
  package var size = 20
  package var minimumPrice: Int?
  package var maximumPrice: Int?
  /// The city in capitals, its words separated by spaces.
  package var city: String?
  /// The minimum number of bedrooms.
  package var beds: Int?

  package init() {}

  /// Reads the parameters `page`, `size`, `min_price`, `max_price`, `city` and `beds`.
  ///
  /// An empty value counts as absent. Other parameters are ignored, because a service may add common ones.
  package init(parameters: QueryParameters) throws(APIError) {
    page = try Self.whole("page", parameters, in: 1...100_000) ?? page
    size = try Self.whole("size", parameters, in: 1...100) ?? size
    minimumPrice = try Self.whole("min_price", parameters, in: 0...1_000_000_000)
    maximumPrice = try Self.whole("max_price", parameters, in: 0...1_000_000_000)
    beds = try Self.whole("beds", parameters, in: 0...50)
    if let minimumPrice, let maximumPrice, minimumPrice > maximumPrice {
      throw .badParameter("min_price is \(minimumPrice), which is above max_price \(maximumPrice).")
    }
    if let name = try parameters.value("city"), !name.isEmpty {
      guard name.utf8.count <= 64 else { throw .badParameter("city may have 64 bytes at most.") }
      city = name.split { $0 == "_" || $0 == " " }.joined(separator: " ").uppercased()
    }
  }

  func matches(_ home: Home) -> Bool {
    if let minimumPrice, home.price < minimumPrice { return false }
    if let maximumPrice, home.price > maximumPrice { return false }
    if let beds, home.beds < beds { return false }
    if let city, home.city != city { return false }
    return true
  }

  private static func whole(
    _ name: String, _ parameters: QueryParameters, in range: ClosedRange<Int>
  ) throws(APIError) -> Int? {
    guard let text = try parameters.value(name), !text.isEmpty else { return nil }
    guard let number = Int(text), range.contains(number) else {
      throw .badParameter(
        "\(name) must be a whole number from \(range.lowerBound) to \(range.upperBound), not '\(text.prefix(40))'."
      )
    }
    return number
  }
}
