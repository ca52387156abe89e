import APIManagers
import ListingsRoutes

/// Turns the responses of three APIs, whose fields have different names, into the same list.
struct HomeListReformer: Reformer {
  func reform(_ answer: APIResponse, from manager: ManagerIdentity) throws -> HomeList {
    let list = try decoded(answer, from: manager)
    for (index, item) in list.items.enumerated() where item.price < 0 {
      throw DecodingMismatchError(
        field: "items[\(index)].price", "Home \(item.id) has the negative price \(item.price).")
    }
    return list
  }

  private func decoded(_ answer: APIResponse, from manager: ManagerIdentity) throws -> HomeList {
    switch manager.api {
    case HouseListAPI.identity:
      let page = try answer.json(as: HousePage.self)
      return HomeList(total: page.total, items: page.houses.map(\.item))
    case CondoListAPI.identity:
      let page = try answer.json(as: CondoPage.self)
      return HomeList(total: page.count, items: page.items.map(\.item))
    case MultiFamilyListAPI.identity:
      let page = try answer.json(as: MultiFamilyPage.self).result
      return HomeList(total: page.records, items: page.rows.map(\.item))
    default:
      throw DecodingMismatchError.unknownManager(manager)
    }
  }
}

/// Turns a response into a page of a list that a pager loads.
struct HomePageReformer: Reformer {
  func reform(_ answer: APIResponse, from manager: ManagerIdentity) throws -> PageContent<HomeItem> {
    let list = try HomeListReformer().reform(answer, from: manager)
    return PageContent(list.items, next: .total(list.total))
  }
}

/// The response of the API of houses.
struct HousePage: Decodable {
  struct House: Decodable {
    let id: Int
    let city: String
    let zip: String
    let bed_count: Int
    let bath_count: Double
    let square_feet: Int
    let price_usd: Int
    let lat: Double?
    let lon: Double?

    var item: HomeItem {
      HomeItem(
        id: id, city: city, zip: zip, beds: bed_count, baths: bath_count, squareFeet: square_feet,
        price: price_usd, kind: .house, place: Coordinates(lat, lon))
    }
  }

  let total: Int
  let houses: [House]
}

/// The response of the API of condos.
struct CondoPage: Decodable {
  struct Condo: Decodable {
    struct Location: Decodable {
      let lat: Double
      let lng: Double
    }

    let condo_id: Int
    let town: String
    let postcode: String
    let bedrooms: Int
    let bathrooms: Double
    let area_sqft: Int
    let asking_price: Int
    let location: Location?

    var item: HomeItem {
      HomeItem(
        id: condo_id, city: town, zip: postcode, beds: bedrooms, baths: bathrooms, squareFeet: area_sqft,
        price: asking_price, kind: .condo, place: Coordinates(location?.lat, location?.lng))
    }
  }

  let count: Int
  let items: [Condo]
}

/// The response of the API of multi-family houses, whose list is one level deeper.
struct MultiFamilyPage: Decodable {
  struct Rows: Decodable {
    let records: Int
    let rows: [House]
  }

  struct House: Decodable {
    let ref: Int
    let place: String
    let zipcode: String
    let br: Int
    let ba: Double
    let size: Int
    let cost: Int
    /// Latitude, then longitude.
    let coordinates: [Double]

    var item: HomeItem {
      HomeItem(
        id: ref, city: place, zip: zipcode, beds: br, baths: ba, squareFeet: size, price: cost, kind: .multi,
        place: coordinates.count == 2 ? Coordinates(coordinates[0], coordinates[1]) : nil)
    }
  }

  let result: Rows
}
