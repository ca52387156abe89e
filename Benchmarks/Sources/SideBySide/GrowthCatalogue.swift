import Measuring

/// A load whose size grows, and what is measured of it.
struct GrowthKind: Sendable {
  /// A time or an amount of memory, per unit.
  struct Quantity: Sendable {
    /// The name of the value that the program prints, and the end of the figure's name.
    let name: String
    /// The unit of the value that the program prints.
    let unit: Unit
    /// The title of its panel in the plot.
    let title: String
    /// How much steeper than a logarithm it may be; nil if nothing is judged.
    var bar: Bar? = .atMost(GrowthKind.tolerance)
  }

  /// What a step of the processor's caches within the last sizes may add to an exponent.
  static let tolerance = 0.15

  /// The middle of the figures' names.
  let name: String
  /// The subcommand of `GrowthPeer`; nil if it has the same name.
  var subcommand: String?
  /// What the horizontal axis counts.
  let axis: String
  let sizes: [Int]
  let quantities: [Quantity]
  /// The number of requests that are measured at a size; nil for a load without them.
  var requests: @Sendable (_ size: Int) -> Int
  /// The arguments beside the size and the requests.
  var arguments: @Sendable (_ place: GrowthPlace) -> [String] = { _ in [] }
  /// The number of descriptors that each of both processes needs.
  var descriptors: @Sendable (_ size: Int) -> Int = { _ in 0 }

  /// Returns the sizes of a run; a quick one has none that takes long.
  func sizes(isQuick: Bool) -> [Int] { isQuick ? Array(sizes.dropLast(2)) : sizes }

  func figure(_ quantity: Quantity) -> String { "growth.\(name).\(quantity.name)" }

  /// Reports how the quantities grow.
  ///
  /// - Parameter failure: The first size that could not be measured, and why; nil if all were.
  func judge(
    _ series: [String: GrowthSeries], _ quantities: [Quantity], failure: String?,
    _ report: (Outcome) -> Void
  ) {
    for quantity in quantities {
      let figure = Figure(figure(quantity), .exponent, bar: quantity.bar)
      if let failure {
        report(Outcome(figure, .failed(failure)))
      } else if let exponent = series[quantity.name]?.exponent {
        report(Outcome(figure, .measured(ours: exponent, peer: nil)))
      } else {
        report(Outcome(figure, .failed("fewer than three sizes were measured")))
      }
    }
  }

  /// Reads the points from lines that were printed before, and reports them again.
  func read(
    _ lines: String, _ quantities: [Quantity], _ report: (Outcome) -> Void
  ) -> [String: GrowthSeries] {
    var series: [String: GrowthSeries] = [:]
    for quantity in quantities {
      let start = "bench \(figure(quantity))."
      for line in lines.split(separator: "\n") where line.hasPrefix(start) {
        let words = line.dropFirst(start.count).split(separator: " ")
        guard let size = words.first.flatMap({ Int($0) }),
          let text = ResultLine(in: String(line))?.text("ours"),
          let value = Double(text.prefix { $0.isNumber || $0 == "." })
        else { continue }
        series[quantity.name, default: GrowthSeries()].add(.init(size: size, value: value))
        let figure = Figure("\(figure(quantity)).\(size)", quantity.unit)
        report(Outcome(figure, .measured(ours: value, peer: nil)))
      }
    }
    judge(series, quantities, failure: nil, report)
    return series
  }
}

/// The server and the folder of a run.
struct GrowthPlace {
  let port: UInt16
  /// A path in the run's folder at which nothing exists.
  let path: String
}

extension GrowthKind {
  static let all: [GrowthKind] = wire + stores + tables + queues

  private static func powers(_ first: Int, _ last: Int, by factor: Int = 4) -> [Int] {
    Array(sequence(first: first) { $0 * factor < last ? $0 * factor : nil }) + [last]
  }

  private static func time(_ name: String, _ title: String) -> Quantity {
    Quantity(name: name, unit: .nanoseconds, title: title)
  }

  private static func memory(_ title: String) -> Quantity {
    Quantity(name: "memory", unit: .bytes, title: title)
  }

  private static let wire: [GrowthKind] = [
    GrowthKind(
      name: "connections", axis: "connections in use", sizes: powers(1, 10_000),
      quantities: [time("request", "A request, all connections in use"), memory("A connection")],
      requests: { max(20_000, $0 * 4) }, arguments: { ["--port", "\($0.port)"] },
      descriptors: { $0 + 100 }),
    GrowthKind(
      name: "idle-connections", subcommand: "connections", axis: "connections, 64 in use",
      sizes: powers(64, 10_000),
      quantities: [time("request", "A request, 64 connections in use")],
      requests: { _ in 20_000 }, arguments: { ["--port", "\($0.port)", "--in-flight", "64"] },
      descriptors: { $0 + 100 }),
    GrowthKind(
      name: "waiting", axis: "requests at once, 64 running", sizes: powers(64, 10_000),
      quantities: [time("request", "A request, others waiting")],
      requests: { max(20_000, $0) }, arguments: { ["--port", "\($0.port)"] }),
    GrowthKind(
      name: "origins", axis: "origins, 64 requests running", sizes: powers(10, 10_000),
      quantities: [time("request", "A request, to another origin"), memory("An origin's connection")],
      requests: { max(20_000, $0) }, arguments: { ["--port", "\($0.port)"] },
      descriptors: { $0 + 100 }),
  ]

  private static let stores: [GrowthKind] = [
    GrowthKind(
      name: "hash-table", axis: "values", sizes: powers(1_000, 1_000_000),
      quantities: [Quantity(name: "read", unit: .nanoseconds, title: "A read, for comparison", bar: nil)],
      requests: { _ in 400_000 }),
    GrowthKind(
      name: "responses", axis: "responses in memory", sizes: powers(1_000, 1_000_000),
      quantities: [time("store", "Storing a response"), time("hit", "A hit"), memory("A response of 1 KiB")],
      requests: { _ in 200_000 }),
    GrowthKind(
      name: "stored-responses", axis: "responses on a disk", sizes: powers(1_000, 100_000),
      quantities: [
        time("store", "Storing on a disk"), time("hit", "A hit on a disk"), memory("A response on a disk"),
      ],
      requests: { _ in 20_000 }, arguments: { ["--directory", $0.path] }),
  ]

  private static let tables: [GrowthKind] = [
    GrowthKind(
      name: "routes", axis: "routes", sizes: powers(100, 100_000),
      quantities: [
        time("build", "Building a table, a route"), time("look-up", "A look-up"), memory("A route"),
      ],
      requests: { _ in 400_000 }),
    GrowthKind(
      name: "interceptors", axis: "interceptors", sizes: powers(1, 100, by: 2),
      quantities: [time("call", "A call, an interceptor"), memory("An interceptor")],
      requests: { max(20_000, 400_000 / $0) }),
  ]

  private static let queues: [GrowthKind] = [
    GrowthKind(
      name: "events", axis: "waiting events", sizes: powers(10_000, 10_000_000),
      quantities: [
        time("record", "Recording an event"), time("upload", "Uploading an event"), memory("An event"),
      ],
      requests: { _ in 200 }, arguments: { ["--path", $0.path] })
  ]
}
