/// One home of the listings, in the server's own words; each API answers with words of its own.
public struct Home: Sendable, Equatable {
  /// 1 for the first row of the file, then upwards.
  public let id: Int
  /// Which of the three APIs offers it.
  public let kind: HomeKind
  /// The city in capitals, words divided by spaces.
  public let city: String
  /// Five digits.
  public let zip: String
  /// The number of bedrooms.
  public let beds: Int
  /// The number of bathrooms; a half counts for one without a bath.
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
