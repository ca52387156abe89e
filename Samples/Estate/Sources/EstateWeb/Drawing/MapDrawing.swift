import Foundation
import Screens

/// A map as SVG, whose points lead to the cards of the same page, to a page of their own, or to a narrower
/// list.
struct MapDrawing {
  let map: PlaceMap
  let layout: MapLayout

  init(_ map: PlaceMap) {
    self.map = map
    layout = MapLayout(map.places)
  }

  private var count: Int { map.places.count }

  var html: HTML {
    let label = count == 1 ? "Map of the home" : "Map of \(count) homes"
    // Those with cards are drawn last, above the others.
    let clusters = layout.clusters.filter(\.listed.isEmpty) + layout.clusters.filter { !$0.listed.isEmpty }
    return """
      <figure class="map"><svg viewBox="0 0 400 400" role="group" aria-label="\(label)">\
      \(lines)\(dots)\(labels)\(clusters.map(point))\(MapNames(layout.clusters).html)</svg>\(caption)</figure>

      """
  }

  private var lines: [HTML] {
    layout.meridians.map { "<path class=\"grid\" d=\"M\(rounded($0.position)) 0V400\"/>" as HTML }
      + layout.parallels.map { "<path class=\"grid\" d=\"M0 \(rounded($0.position))H400\"/>" as HTML }
  }

  /// The degrees at the lines; a text at the right edge would be cut.
  private var labels: [HTML] {
    layout.meridians.filter { $0.position < 340 }.map { line -> HTML in
      "<text class=\"degrees\" x=\"\(rounded(line.position) + 4)\" y=\"394\">\(line.label)</text>"
    }
      + layout.parallels.map { line -> HTML in
        "<text class=\"degrees\" x=\"5\" y=\"\(rounded(line.position) - 4)\">\(line.label)</text>"
      }
  }

  /// All dots as one path with relative moves: an element for each of hundreds would cost the page its
  /// weight.
  private var dots: HTML {
    guard !layout.dots.isEmpty else { return "" }
    var (x, y, path) = (0, 0, "")
    for dot in layout.dots {
      path += "m\(dot.x - x) \(dot.y - y)z"
      (x, y) = (dot.x, dot.y)
    }
    return "<path class=\"dots\" d=\"\(path)\"/>"
  }

  /// What the points are, if they are not all of one kind.
  private var caption: HTML {
    let listed = map.places.count { $0.role == .listed }
    let found = listed + map.places.count { $0.role == .found }
    guard listed < count else { return "" }
    let cards: HTML = listed == 0 ? "" : "<li class=\"listed\">\(listed) in the list</li>"
    let others: HTML = found == listed ? "" : "<li class=\"found\">\(found - listed) more that match</li>"
    let rest: HTML = found == count ? "" : "<li class=\"other\">\(count - found) others</li>"
    return "<figcaption>All \(count) homes<ul>\(cards)\(others)\(rest)</ul></figcaption>"
  }

  private func point(_ cluster: MapLayout.Cluster) -> HTML {
    let (x, y) = (rounded(cluster.x), rounded(cluster.y))
    // The page of one home has no card to lead to.
    if count == 1 { return "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"8\"/>" }
    let listed = cluster.listed
    let cards: HTML =
      listed.isEmpty ? "" : " data-home=\"\(listed.map { String($0.id) }.joined(separator: " "))\""
    let kind = listed.isEmpty ? "found" : "listed"
    let (label, shape) = (label(of: cluster), shape(of: cluster, x: x, y: y))
    guard let target = target(of: cluster) else {
      return "<g class=\"\(kind)\" role=\"img\" aria-label=\"\(label)\"><title>\(label)</title>\(shape)</g>"
    }
    return """
      <a class="\(kind)" href="\(target)"\(cards) aria-label="\(label)"><title>\(label)</title>\
      \(shape)</a>
      """
  }

  private func shape(of cluster: MapLayout.Cluster, x: Int, y: Int) -> HTML {
    let circle: HTML = "<circle cx=\"\(x)\" cy=\"\(y)\" r=\"\(cluster.radius)\"/>"
    guard cluster.places.count > 1 else { return circle }
    return "\(circle)<text x=\"\(x)\" y=\"\(y + 4)\">\(cluster.places.count)</text>"
  }

  private func label(of cluster: MapLayout.Cluster) -> String {
    if cluster.places.count == 1, let place = cluster.places.first {
      return "Home \(place.id), \(place.name.withNames), \(place.detail)"
    }
    let all = "\(cluster.places.count) homes, \(cluster.name.withNames)"
    let listed = cluster.listed.count
    if listed == 0, map.narrowing == nil, map.placeRoute != nil, let first = cluster.places.first {
      return "\(all); opens home \(first.id)"
    }
    return listed == 0 || listed == cluster.places.count ? all : "\(all), \(listed) in the list"
  }

  /// Where a point leads: to a card, to the page of its only home, or to the list of its city; in that list,
  /// to the page of its first home.
  private func target(of cluster: MapLayout.Cluster) -> String? {
    if let listed = cluster.listed.first { return "#home-\(listed.id)" }
    if cluster.places.count > 1, let narrowing = map.narrowing {
      let route = WebAddress.url(of: narrowing.route, fields: [(narrowing.parameter, cluster.name)])
      return WebAddress.path(of: route)
    }
    guard let first = cluster.places.first, let route = map.placeRoute else { return nil }
    return WebAddress.path(of: route + String(first.id))
  }

  private func rounded(_ value: Double) -> Int { Int(value.rounded()) }
}
