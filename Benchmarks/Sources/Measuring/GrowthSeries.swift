import Glibc

/// A quantity per unit, such as the time per request, at increasing numbers of units.
public struct GrowthSeries: Sendable, Hashable {
  /// The quantity per unit at one number of units.
  public struct Point: Sendable, Hashable {
    /// The number of units.
    public let size: Int
    /// The quantity per unit.
    public let value: Double

    /// Creates a point.
    public init(size: Int, value: Double) {
      self.size = size
      self.value = value
    }
  }

  /// The points, by increasing size.
  public private(set) var points: [Point] = []

  /// Creates a series.
  public init(_ points: [Point] = []) { for point in points { add(point) } }

  /// Adds a point; one without a positive size and value is ignored.
  public mutating func add(_ point: Point) {
    guard point.size > 0, point.value > 0, point.value.isFinite else { return }
    let index = points.firstIndex { $0.size > point.size } ?? points.endIndex
    points.insert(point, at: index)
  }

  /// The exponent with which the quantity per unit grows beyond a logarithm; nil with fewer than three
  /// sizes.
  ///
  /// A quantity of `log(n) * n ^ exponent` per unit: the exponent of all units together is one more. n log n
  /// has 0, n² about 1, and n less than 0.
  ///
  /// It is the slope of a straight line through the points, on logarithmic axes and divided by log n: that
  /// through all sizes, or that through those above a sixteenth of the largest if it is steeper. The second
  /// finds what begins to grow only at large sizes, where a constant part no longer hides it.
  public var exponent: Double? {
    guard let largest = points.last?.size, points.count >= 3 else { return nil }
    let last = max(3, points.count { $0.size >= largest / 16 })
    return max(slope(points[...]), slope(points.suffix(last)))
  }

  /// The slope of a line of least squares.
  private func slope(_ points: ArraySlice<Point>) -> Double {
    let places = points.map { log(Double($0.size)) }
    let heights = points.map { log($0.value / log2(Double($0.size) + 1)) }
    let (place, height) = (
      places.reduce(0, +) / Double(places.count), heights.reduce(0, +) / Double(places.count)
    )
    let both = zip(places, heights).reduce(0) { $0 + ($1.0 - place) * ($1.1 - height) }
    return both / places.reduce(0) { $0 + ($1 - place) * ($1 - place) }
  }
}
