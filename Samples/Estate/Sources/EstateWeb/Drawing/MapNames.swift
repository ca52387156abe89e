/// The names of a map's largest clusters, where they cover neither a point nor each other.
struct MapNames {
  /// The maximum number of names, so that the map stays one of homes.
  private static let limit = 8
  /// The width of a character of the font, on average.
  private static let characterWidth = 6.4

  private enum Anchor: String {
    case start
    case middle
    case end
  }

  /// A part of the map, which a name or a point covers.
  private struct Area {
    let x: Range<Double>
    let y: Range<Double>

    func overlaps(_ other: Area) -> Bool { x.overlaps(other.x) && y.overlaps(other.y) }
  }

  private let names: [HTML]

  init(_ clusters: [MapLayout.Cluster]) {
    var covered = clusters.map { cluster in
      let radius = Double(cluster.radius)
      return Area(
        x: cluster.x - radius..<cluster.x + radius, y: cluster.y - radius..<cluster.y + radius)
    }
    var seen: Set<String> = []
    var names: [HTML] = []
    for cluster in clusters.sorted(by: { $0.places.count > $1.places.count }) {
      guard names.count < Self.limit else { break }
      let name = cluster.name.withNames
      guard !name.isEmpty, !seen.contains(name) else { continue }
      for (x, y, anchor) in Self.places(at: cluster) {
        guard let area = Self.area(of: name, x, y, anchor), !covered.contains(where: area.overlaps) else {
          continue
        }
        covered.append(area)
        seen.insert(name)
        names.append(
          "<text class=\"name\" x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor.rawValue)\">\(name)</text>")
        break
      }
    }
    self.names = names
  }

  var html: HTML { "\(names)" }

  /// Where the name of a cluster may be, in the order of preference.
  private static func places(at cluster: MapLayout.Cluster) -> [(x: Int, y: Int, anchor: Anchor)] {
    let (x, y, radius) = (Int(cluster.x.rounded()), Int(cluster.y.rounded()), cluster.radius)
    let (above, below) = (y - radius - 5, y + radius + 13)
    return [
      (x, above, .middle), (x, below, .middle), (x + radius + 5, y + 4, .start),
      (x - radius - 5, y + 4, .end),
      (x + 8, below, .end), (x - 8, below, .start), (x + 8, above, .end), (x - 8, above, .start),
    ]
  }

  /// What a name covers; `nil` if a part of it would be beyond the edges, or on the degrees below.
  private static func area(of name: String, _ x: Int, _ y: Int, _ anchor: Anchor) -> Area? {
    let width = Double(name.count) * characterWidth + 4
    let left =
      switch anchor {
      case .start: Double(x)
      case .middle: Double(x) - width / 2
      case .end: Double(x) - width
      }
    let area = Area(x: left..<left + width, y: Double(y - 11)..<Double(y + 3))
    let isWithin =
      area.x.lowerBound >= 2 && area.x.upperBound <= MapLayout.width - 2 && area.y.lowerBound >= 2
      && area.y.upperBound <= MapLayout.height - 16
    return isWithin ? area : nil
  }
}
