/// The response of the API of condos.
struct CondoPage: Decodable {
  struct Condo: Decodable {
    let condo_id: Int
    let town: String
    let postcode: String
    let bedrooms: Int
    let bathrooms: Double
    let area_sqft: Int
    let asking_price: Int

    var item: HomeItem {
      HomeItem(
        id: condo_id, city: town, zip: postcode, beds: bedrooms, baths: bathrooms, squareFeet: area_sqft,
        price: asking_price)
    }
  }

  let count: Int
  let items: [Condo]
}
