public import ArgumentParser

/// What the harness asks of a peer: the same options for each of them, whatever language it is written in.
public struct LoadOptions: ParsableArguments, Sendable {
  /// What is asked for.
  @Option(help: "What is asked for.") public var url: String
  /// How many requests are on their way at a time.
  @Option(help: "How many requests are on their way at a time.") public var inFlight: Int
  /// How many requests go ahead, unmeasured.
  @Option(help: "How many requests go ahead, unmeasured.") public var warmUp: Int = 0
  /// How many requests are measured.
  @Option(help: "How many requests are measured.") public var requests: Int
  /// The PEM file of the authorities that are trusted; nil for those of the system.
  @Option(help: "The PEM file of the authorities that are trusted.") public var authorities: String?

  /// Makes options for the parser to fill.
  public init() {}

  /// Refuses numbers that mean nothing.
  public func validate() throws {
    guard inFlight > 0 else { throw ValidationError("--in-flight must be 1 or more, not \(inFlight).") }
    guard requests >= 0, warmUp >= 0 else {
      throw ValidationError("--requests and --warm-up must be 0 or more.")
    }
  }
}
