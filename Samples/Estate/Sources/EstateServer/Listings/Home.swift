/// One home of the listings.
public struct Home: Sendable, Equatable {
  /// The number of the home's row in the file, from 1.
  public let id: Int
  /// The kind, which decides the API that lists it.
  public let kind: HomeKind
  /// The city in capitals, its words separated by spaces.
  public let city: String
  /// The postal code, five digits.
  public let zip: String
  /// The number of bedrooms.
  public let beds: Int
  /// The number of bathrooms; one without a bath counts as a half.
  public let baths: Double
  /// The floor area in square feet.
  public let squareFeet: Int
  /// The price in US dollars.
  public let price: Int
  /// Degrees north.
  public let latitude: Double
  /// Degrees east, so negative in California.
  public let longitude: Double
}
