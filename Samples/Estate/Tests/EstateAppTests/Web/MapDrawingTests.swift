import Screens
import Testing

@testable import EstateWeb

@Suite("A map of homes")
struct MapDrawingTests {
  private func place(
    _ id: Int, _ latitude: Double, _ longitude: Double, _ role: PlaceMap.Role = .listed, name: String = "GALT"
  ) -> PlaceMap.Place {
    PlaceMap.Place(id: id, name: name, detail: "$1", latitude: latitude, longitude: longitude, role: role)
  }

  private func html(_ map: PlaceMap) -> String { MapDrawing(map).html.description }

  @Test("Near places are one cluster, distant ones are not, and all are on the map")
  func clusters() {
    let places = [(38.5, -121.5), (38.5001, -121.5001), (38.9, -121.0)].enumerated().map { index, place in
      PlaceMap.Place(id: index, name: "GALT", detail: "", latitude: place.0, longitude: place.1)
    }
    let layout = MapLayout(places)
    #expect(layout.clusters.map { $0.places.map(\.id) } == [[0, 1], [2]])
    for cluster in layout.clusters {
      #expect((0...MapLayout.width).contains(cluster.x) && (0...MapLayout.height).contains(cluster.y))
    }
    #expect(layout.meridians.count >= 2 && layout.parallels.count >= 2)
    #expect(MapLayout([]).clusters == [] && MapLayout([places[0], places[0]]).clusters.count == 1)
  }

  @Test("The homes of the screen fill the map, and of the others those are dots that are within it")
  func frame() {
    let found = [place(1, 38.5, -121.5), place(2, 38.6, -121.4, .found)]
    let around = [place(3, 38.55, -121.45, .surrounding), place(4, 38.55, -121.45, .surrounding)]
    let layout = MapLayout(found + around + [place(5, 45, -100, .surrounding)])
    #expect(layout.clusters == MapLayout(found).clusters)
    #expect(layout.dots == [MapLayout.Dot(x: 200, y: 200)])
    // Without a home of the screen all others fill the map.
    #expect(MapLayout(around).clusters == [] && MapLayout(around).dots.count == 1)
  }

  @Test("No two clusters cover each other, and the largest ones have names that cover none")
  func overlaps() {
    let places = (1...600).map { id in
      place(
        id, 38.2 + Double(id * 7_919 % 997) / 1_000, -121.5 + Double(id * id % 991) / 1_000, .found,
        name: "CITY \(id % 37)")
    }
    let clusters = MapLayout(places).clusters
    #expect(clusters.reduce(0) { $0 + $1.places.count } == 600)
    for (index, one) in clusters.enumerated() {
      for other in clusters[(index + 1)...] {
        let distance = ((one.x - other.x) * (one.x - other.x) + (one.y - other.y) * (one.y - other.y))
          .squareRoot()
        #expect(distance >= Double(one.radius + other.radius))
      }
    }
    let alone = html(PlaceMap([place(1, 38, -121), place(2, 39, -121, name: "EL DORADO")]))
    #expect(alone.contains(">Galt</text>") && alone.contains(">El Dorado</text>"))
  }

  @Test("A point leads to a card, to the page of a home, or to the homes of its city")
  func targets() {
    let places = [
      place(1, 38.5, -121.5), place(2, 38.5, -121.5, .found), place(3, 38.7, -121.5, .found),
      place(4, 38.6, -121.3, .found, name: "ELK GROVE"), place(5, 38.6, -121.3, .found, name: "ELK GROVE"),
    ]
    let narrowing = PlaceMap.Narrowing(route: "estate://browse?beds=2", parameter: "city")
    let map = html(PlaceMap(places, placeRoute: "estate://home/", narrowing: narrowing))
    #expect(
      map.contains(
        "<a class=\"listed\" href=\"#home-1\" data-home=\"1\" aria-label=\"2 homes, Galt, 1 in the list\">"))
    #expect(map.contains("<a class=\"found\" href=\"/home/3\" aria-label=\"Home 3, Galt, $1\">"))
    #expect(map.contains("href=\"/browse?beds=2&amp;city=ELK%20GROVE\" aria-label=\"2 homes, Elk Grove\">"))
    #expect(map.contains("All 5 homes<ul><li class=\"listed\">1 in the list</li>"))
    // A list of one city can't be narrowed further.
    let city = html(PlaceMap(places, placeRoute: "estate://home/"))
    #expect(city.contains("href=\"/home/4\" aria-label=\"2 homes, Elk Grove; opens home 4\">"))
    let unlinked = html(PlaceMap(places))
    #expect(unlinked.contains("<g class=\"found\" role=\"img\" aria-label=\"2 homes, Elk Grove\">"))
    #expect(!html(PlaceMap([place(1, 38, -121), place(2, 39, -121)])).contains("figcaption"))
  }

  @Test("Hundreds of homes are drawn in a few kilobytes")
  func size() {
    let places = (1...932).map { id in
      place(
        id, 38.2 + Double(id * 7_919 % 1_000) / 1_000, -121.5 + Double(id * 104_729 % 1_000) / 1_000,
        id <= 10 ? .listed : id % 2 == 0 ? .found : .surrounding, name: "CITY \(id % 37)")
    }
    #expect(html(PlaceMap(places, placeRoute: "estate://home/")).utf8.count < 24_000)
  }
}
