/// One home of the listings.
package struct Home: Sendable, Equatable {
  /// The number of the home's row in the file, from 1.
  package let id: Int
  package let kind: HomeKind
  /// The city in capitals, its words separated by spaces.
  package let city: String
  package let zip: String
  package let beds: Int
  /// The number of bathrooms; one without a bath counts as a half.
  package let baths: Double
  /// The floor area in square feet.
  package let squareFeet: Int
  package let price: Int
  /// Degrees north.
  package let latitude: Double
  /// Degrees east, so negative in California.
  package let longitude: Double
}
