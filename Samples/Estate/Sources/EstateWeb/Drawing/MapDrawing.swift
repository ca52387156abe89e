import Foundation
import Screens

/// A map as SVG, whose points lead to the cards of the same page.
struct MapDrawing {
  let layout: MapLayout
  private let count: Int

  init(_ map: PlaceMap) {
    layout = MapLayout(map.places)
    count = map.places.count
  }

  var html: HTML {
    let label = count == 1 ? "Map of the home" : "Map of \(count) homes"
    let vertical = layout.meridians.map { line -> HTML in
      """
      <path class="grid" d="M\(rounded(line.position)) 0V400"/>\
      <text class="degrees" x="\(rounded(line.position) + 4)" y="394">\(line.position < 340 ? line.label : "")</text>
      """
    }
    let horizontal = layout.parallels.map { line -> HTML in
      """
      <path class="grid" d="M0 \(rounded(line.position))H400"/>\
      <text class="degrees" x="5" y="\(rounded(line.position) - 4)">\(line.label)</text>
      """
    }
    return """
      <figure class="map"><svg viewBox="0 0 400 400" role="group" aria-label="\(label)">\
      \(vertical)\(horizontal)\(names)\(layout.clusters.map(point))</svg></figure>

      """
  }

  private func point(_ cluster: MapLayout.Cluster) -> HTML {
    let (x, y) = (rounded(cluster.x), rounded(cluster.y))
    let homes = cluster.places.map { String($0.id) }.joined(separator: " ")
    guard let first = cluster.places.first else { return "" }
    // The page of one home has no card to lead to.
    if count == 1 { return "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"8\"/>" }
    guard cluster.places.count > 1 else {
      return """
        <a href="#home-\(first.id)" data-home="\(homes)" aria-label="Home \(first.id), \(first.name), \
        \(first.detail)"><circle cx="\(x)" cy="\(y)" r="8"/></a>
        """
    }
    let radius = 12 + min(10, cluster.places.count)
    return """
      <a href="#home-\(first.id)" data-home="\(homes)" aria-label="\(cluster.places.count) homes, \
      \(cluster.name)"><circle cx="\(x)" cy="\(y)" r="\(radius)"/>\
      <text x="\(x)" y="\(y + 5)">\(cluster.places.count)</text></a>
      """
  }

  /// Each name at its largest cluster, as far as names don't cover each other.
  private var names: [HTML] {
    var placed: [(x: Int, y: Int)] = []
    var seen: Set<String> = []
    return layout.clusters.sorted { $0.places.count > $1.places.count }.compactMap { cluster in
      let (x, y) = (rounded(cluster.x), rounded(cluster.y) - 16 - min(10, cluster.places.count))
      guard y > 12, !seen.contains(cluster.name),
        !placed.contains(where: { abs($0.y - y) < 18 && abs($0.x - x) < 120 }),
        !layout.clusters.contains(where: { covers($0, nameOf: cluster, x: x, y: y) })
      else { return nil }
      placed.append((x, y))
      seen.insert(cluster.name)
      let anchor = x < 80 ? "start" : x > 320 ? "end" : "middle"
      return "<text x=\"\(x)\" y=\"\(y)\" text-anchor=\"\(anchor)\">\(cluster.name.capitalized)</text>"
    }
  }

  /// Whether the point of another cluster is on a name.
  private func covers(_ other: MapLayout.Cluster, nameOf cluster: MapLayout.Cluster, x: Int, y: Int) -> Bool {
    let half = cluster.name.count * 4 + 10
    return other != cluster && abs(rounded(other.y) - (y - 4)) < 14 + min(10, other.places.count)
      && abs(rounded(other.x) - x) < half
  }

  private func rounded(_ value: Double) -> Int { Int(value.rounded()) }
}
