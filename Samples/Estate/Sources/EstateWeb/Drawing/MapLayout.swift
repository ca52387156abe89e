import Foundation
import Screens

/// The places of a map on a plane, with near ones joined to clusters.
struct MapLayout: Equatable {
  struct Cluster: Equatable {
    /// The mean of the places.
    let x: Double
    let y: Double
    let places: [PlaceMap.Place]
    /// The places that have a card.
    let listed: [PlaceMap.Place]
    let name: String
    let radius: Int

    fileprivate init(_ points: Points) {
      (x, y, places, radius) = (points.x, points.y, points.places, points.radius)
      listed = places.filter { $0.role == .listed }
      let counts = Dictionary(grouping: places, by: \.name).mapValues(\.count)
      name = counts.max { ($0.value, $1.key) < ($1.value, $0.key) }?.key ?? ""
    }
  }

  /// A cluster to which places are added.
  fileprivate struct Points {
    var x: Double
    var y: Double
    var places: [PlaceMap.Place]

    /// More places have a larger area, up to a bound.
    var radius: Int { places.count == 1 ? 6 : 8 + min(13, Int(Double(places.count).squareRoot())) }

    func distance(to other: Points) -> Double { hypot(x - other.x, y - other.y) }

    mutating func join(_ other: Points) {
      let (count, added) = (Double(places.count), Double(other.places.count))
      x = (x * count + other.x * added) / (count + added)
      y = (y * count + other.y * added) / (count + added)
      places += other.places
    }
  }

  /// A place that is there for orientation, in steps of the size of its dot.
  struct Dot: Hashable {
    let x: Int
    let y: Int
  }

  struct GridLine: Equatable {
    let position: Double
    let label: String
  }

  static let (width, height) = (400.0, 400.0)
  private static let margin = 40.0
  /// The distance from its middle below which places are part of a cluster, at least.
  private static let distance = 22.0
  /// The extent of the smallest map in degrees, so that one place is shown with its surroundings.
  private static let smallest = 0.06

  let clusters: [Cluster]
  /// The places for orientation, each point once.
  let dots: [Dot]
  let meridians: [GridLine]
  let parallels: [GridLine]

  /// Lays out the places, so that those of the screen fill the map.
  init(_ places: [PlaceMap.Place]) {
    let found = places.filter { $0.role != .surrounding }
    let framed = found.isEmpty ? places : found
    let latitudes = framed.map(\.latitude)
    let longitudes = framed.map(\.longitude)
    let (south, north) = (latitudes.min() ?? 0, latitudes.max() ?? 0)
    let (west, east) = (longitudes.min() ?? 0, longitudes.max() ?? 0)
    let (latitude, longitude) = ((south + north) / 2, (west + east) / 2)
    // A degree of longitude is shorter than one of latitude.
    let shrink = max(0.1, cos(latitude * .pi / 180))
    let extent = max(Self.smallest, north - south, (east - west) * shrink)
    let scale = (Self.width - 2 * Self.margin) / extent
    func x(_ degrees: Double) -> Double { Self.width / 2 + (degrees - longitude) * shrink * scale }
    func y(_ degrees: Double) -> Double { Self.height / 2 - (degrees - latitude) * scale }
    clusters = Self.joined(
      found.map { Points(x: x($0.longitude), y: y($0.latitude), places: [$0]) }
    ).map(Cluster.init)
    let around = places.filter { $0.role == .surrounding }.compactMap { place -> Dot? in
      let (column, row) = (x(place.longitude).rounded(), y(place.latitude).rounded())
      guard (0...Self.width).contains(column), (0...Self.height).contains(row) else { return nil }
      return Dot(x: Int((column / 4).rounded()) * 4, y: Int((row / 4).rounded()) * 4)
    }
    dots = Set(around).sorted { ($0.y, $0.x) < ($1.y, $1.x) }
    let step = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10].first { extent / $0 < 3.5 } ?? 20
    meridians = Self.lines(step, around: longitude, extent / shrink, signs: ("E", "W"), x)
    parallels = Self.lines(step, around: latitude, extent, signs: ("N", "S"), y)
  }

  /// Joins near places, and then clusters that cover each other.
  private static func joined(_ places: [Points]) -> [Points] {
    var clusters: [Points] = []
    for place in places {
      let near = clusters.firstIndex { $0.distance(to: place) < max(distance, Double($0.radius + 8)) }
      if let near { clusters[near].join(place) } else { clusters.append(place) }
    }
    while let (first, second) = overlap(in: clusters) {
      let joined = clusters.remove(at: second)
      clusters[first].join(joined)
    }
    return clusters
  }

  /// Two clusters of which one covers a part of the other.
  private static func overlap(in clusters: [Points]) -> (Int, Int)? {
    for (first, cluster) in clusters.enumerated() {
      let second = clusters[(first + 1)...].firstIndex {
        cluster.distance(to: $0) < Double(cluster.radius + $0.radius + 1)
      }
      if let second { return (first, second) }
    }
    return nil
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
