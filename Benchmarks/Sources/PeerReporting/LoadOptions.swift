public import ArgumentParser

/// The options that the harness passes to every peer, in any language.
public struct LoadOptions: ParsableArguments, Sendable {
  /// The URL to request.
  @Option(help: "The URL to request.") public var url: String
  /// The number of requests in flight.
  @Option(help: "The number of requests in flight.") public var inFlight: Int
  /// The number of unmeasured requests sent first.
  @Option(help: "The number of unmeasured requests sent first.") public var warmUp: Int = 0
  /// The number of measured requests.
  @Option(help: "The number of measured requests.") public var requests: Int
  /// The PEM file of trusted certificate authorities; nil for those of the system.
  @Option(help: "The PEM file of trusted certificate authorities.") public var authorities: String?

  /// Creates options for the parser to fill.
  public init() {}

  /// Rejects invalid numbers.
  public func validate() throws {
    guard inFlight > 0 else { throw ValidationError("--in-flight must be 1 or more, not \(inFlight).") }
    guard requests >= 0, warmUp >= 0 else {
      throw ValidationError("--requests and --warm-up must be 0 or more.")
    }
  }
}
