/// What a server said about the HTTPS records of a name.
struct ServiceAnswer: Sendable, Hashable {
  /// The name whose records are to be asked for instead; nil if there is none.
  private(set) var alias: [UInt8]?
  private(set) var service = HTTPService.empty
  /// The shortest time for which a record that led to the answer is valid; nil without records.
  private(set) var timeToLive: Duration?

  /// Creates the answer that there are no records.
  init() {}

  /// Creates an answer from the records of a name.
  init(_ bindings: [ServiceBinding], timeToLive: Duration) {
    self.timeToLive = timeToLive
    // Beside an alias every other record is ignored; several aliases are equally good.
    if let first = bindings.first(where: \.isAlias) {
      if first.target != [0] { alias = first.target }
    } else {
      service = HTTPService(bindings)
    }
  }
}

/// The endpoints of an origin by its HTTPS records.
struct HTTPService: Sendable, Hashable {
  /// No endpoint.
  static let empty = HTTPService([])
  /// The maximum number of endpoints; those that are preferred least are ignored.
  static let maximumCount = 8

  /// What is kept of a record, whose list of protocols may be long.
  private struct Endpoint: Sendable, Hashable {
    let priority: UInt16
    let target: [UInt8]
    let port: Int?
    let speaksHTTP3: Bool
  }

  /// The endpoints, those that are preferred most first.
  private let endpoints: [Endpoint]

  /// Creates a service from records in any order; those that may not be used are ignored.
  init(_ bindings: [ServiceBinding]) {
    let usable = bindings.filter { $0.isCompatible && !$0.isAlias }.sorted { $0.priority < $1.priority }
    endpoints = usable.prefix(Self.maximumCount).map {
      Endpoint(priority: $0.priority, target: $0.target, port: $0.port, speaksHTTP3: $0.speaksHTTP3)
    }
  }

  /// The number of endpoints that are kept.
  var count: Int { endpoints.count }

  /// Returns the port at which HTTP/3 is spoken; nil if it is not, or elsewhere.
  ///
  /// The record is the one that is preferred most among those of the addresses to which the request is sent
  /// in any case. One with another target would lead to other addresses, and isn't used.
  ///
  /// - Parameters:
  ///   - names: The host, and the aliases that have led to its addresses.
  ///   - port: The port of the origin.
  func http3Port(at names: [[UInt8]], originPort port: Int) -> Int? {
    let here = endpoints.filter { names.contains($0.target) }
    guard let best = here.first?.priority else { return nil }
    return here.first { $0.priority == best && $0.speaksHTTP3 }.map { $0.port ?? port }
  }
}
