import Foundation
import Screens

/// The places of a map on a plane, with near ones joined to clusters.
struct MapLayout: Equatable {
  /// Places that are drawn as one point.
  struct Cluster: Equatable {
    let x: Double
    let y: Double
    let places: [PlaceMap.Place]

    /// The name that most of the places have.
    var name: String {
      let counts = Dictionary(grouping: places, by: \.name).mapValues(\.count)
      return counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
  }

  /// A meridian or a parallel.
  struct GridLine: Equatable {
    let position: Double
    let label: String
  }

  static let (width, height) = (400.0, 400.0)
  private static let margin = 44.0
  /// The distance below which places are joined.
  private static let distance = 30.0
  /// The extent of the smallest map in degrees, so that one place is shown with its surroundings.
  private static let smallest = 0.06

  let clusters: [Cluster]
  let meridians: [GridLine]
  let parallels: [GridLine]

  init(_ places: [PlaceMap.Place]) {
    let latitudes = places.map(\.latitude)
    let longitudes = places.map(\.longitude)
    let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
    let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    let (latitude, longitude) = ((south + north) / 2, (west + east) / 2)
    // A degree of longitude is shorter than one of latitude.
    let shrink = max(0.1, cos(latitude * .pi / 180))
    let extent = max(Self.smallest, north - south, (east - west) * shrink)
    let scale = (Self.width - 2 * Self.margin) / extent
    func x(_ degrees: Double) -> Double { Self.width / 2 + (degrees - longitude) * shrink * scale }
    func y(_ degrees: Double) -> Double { Self.height / 2 - (degrees - latitude) * scale }
    clusters = Self.joined(places.map { (x($0.longitude), y($0.latitude), $0) })
    let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].first { extent / $0 < 3.5 } ?? 20
    meridians = Self.lines(step, around: longitude, extent / shrink, signs: ("E", "W"), x)
    parallels = Self.lines(step, around: latitude, extent, signs: ("N", "S"), y)
  }

  private static func joined(_ points: [(x: Double, y: Double, place: PlaceMap.Place)]) -> [Cluster] {
    var clusters: [Cluster] = []
    for point in points {
      let near = clusters.firstIndex {
        ($0.x - point.x) * ($0.x - point.x) + ($0.y - point.y) * ($0.y - point.y) < distance * distance
      }
      guard let near else {
        clusters.append(Cluster(x: point.x, y: point.y, places: [point.place]))
        continue
      }
      // The mean of its places.
      let cluster = clusters[near]
      let count = Double(cluster.places.count)
      clusters[near] = Cluster(
        x: (cluster.x * count + point.x) / (count + 1), y: (cluster.y * count + point.y) / (count + 1),
        places: cluster.places + [point.place])
    }
    return clusters
  }

  private static func lines(
    _ step: Double, around center: Double, _ extent: Double, signs: (String, String),
    _ position: (Double) -> Double
  ) -> [GridLine] {
    let first = Int(((center - extent) / step).rounded(.up))
    let last = Int(((center + extent) / step).rounded(.down))
    guard first <= last, last - first < 100 else { return [] }
    return (first...last).compactMap { index in
      let degrees = Double(index) * step
      let place = position(degrees)
      guard place > 8, place < width - 8 else { return nil }
      let hundredths = Int((degrees.magnitude * 100).rounded())
      let rest = hundredths % 100
      return GridLine(
        position: place,
        label: "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)° \(degrees < 0 ? signs.1 : signs.0)")
    }
  }
}
