/// The bodies of the lists, whose APIs name the same facts differently.
extension ListingPage {
  /// The body of `/v1/houses`.
  var houses: JSON {
    let houses = homes.map { home -> JSON in
      [
        "id": JSON(home.id), "city": .string(home.city), "zip": .string(home.zip),
        "bed_count": JSON(home.beds), "bath_count": .number(home.baths),
        "square_feet": JSON(home.squareFeet), "price_usd": JSON(home.price), "lat": .number(home.latitude),
        "lon": .number(home.longitude),
      ]
    }
    return ["total": JSON(total), "page": JSON(number), "houses": .array(houses)]
  }

  /// The body of `/v1/condos`.
  var condos: JSON {
    let condos = homes.map { home -> JSON in
      [
        "condo_id": JSON(home.id), "town": .string(home.city), "postcode": .string(home.zip),
        "bedrooms": JSON(home.beds), "bathrooms": .number(home.baths), "area_sqft": JSON(home.squareFeet),
        "asking_price": JSON(home.price),
        "location": ["lat": .number(home.latitude), "lng": .number(home.longitude)],
      ]
    }
    return ["count": JSON(total), "page": JSON(number), "items": .array(condos)]
  }

  /// The body of `/v1/multi-family`, one level deeper.
  var multiFamily: JSON {
    let rows = homes.map { home -> JSON in
      [
        "ref": JSON(home.id), "place": .string(home.city), "zipcode": .string(home.zip),
        "br": JSON(home.beds), "ba": .number(home.baths), "size": JSON(home.squareFeet),
        "cost": JSON(home.price), "coordinates": [.number(home.latitude), .number(home.longitude)],
      ]
    }
    return [
      "result": [
        "rows": .array(rows), "page": JSON(number), "pages": JSON(pages), "records": JSON(total),
      ]
    ]
  }
}

extension Home {
  /// The body of `/v1/homes/{id}`, for each kind; without notes it has no number of them.
  func body(noteCount: Int = 0) -> JSON {
    var members: [String: JSON] = [
      "id": JSON(id), "kind": .string(kind.rawValue), "city": .string(city), "zip": .string(zip),
      "beds": JSON(beds), "baths": .number(baths), "sqft": JSON(squareFeet), "price": JSON(price),
      "lat": .number(latitude), "lon": .number(longitude),
    ]
    if noteCount > 0 { members["notes"] = JSON(noteCount) }
    return .object(members)
  }
}

extension Listings {
  /// The body of `/v1/places`: where all homes are, for a map.
  ///
  /// Each property of the homes is a list of its own, and the names are listed once, so that 932 homes take
  /// 37 kB, and 13 kB as gzip. Cities and kinds are indexes of those lists.
  var places: JSON {
    let cities = Set(homes.map(\.city)).sorted()
    let kinds = HomeKind.allCases.map(\.rawValue)
    let cityIndexes = Dictionary(uniqueKeysWithValues: zip(cities, cities.indices))
    let kindIndexes = Dictionary(uniqueKeysWithValues: zip(kinds, kinds.indices))
    func list(_ value: (Home) -> JSON) -> JSON { .array(homes.map(value)) }
    return [
      "cities": .array(cities.map(JSON.string)), "kinds": .array(kinds.map(JSON.string)),
      "id": list { JSON($0.id) }, "city": list { JSON(cityIndexes[$0.city] ?? 0) },
      "kind": list { JSON(kindIndexes[$0.kind.rawValue] ?? 0) }, "beds": list { JSON($0.beds) },
      "price": list { JSON($0.price) }, "lat": list { .number($0.latitude) },
      "lon": list { .number($0.longitude) },
    ]
  }
}
