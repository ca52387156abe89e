import HTTPTypes
public import Interception

/// What a simulation checks of requests and outputs beyond what every simulation checks.
public struct SimulationRules: Sendable {
  /// The origins that credentials and secrets are for.
  public var trustedOrigins: Set<String>
  /// The header fields that only trusted origins may receive, besides those of a request's context.
  public var credentials: CredentialFields
  /// Texts that occur in no output, and in no request to another origin.
  public var secrets: [String]

  /// Creates rules; without trusted origins requests may carry anything anywhere.
  public init(
    trustedOrigins: Set<String> = [], credentials: CredentialFields = [],
    secrets: [String] = []
  ) {
    self.trustedOrigins = trustedOrigins
    self.credentials = credentials
    self.secrets = secrets
  }

  /// Returns what a request has that its origin must not receive; nil if nothing.
  func fault(of arrival: SimulatedArrival) -> String? {
    guard !trustedOrigins.isEmpty, !trustedOrigins.contains(arrival.origin) else { return nil }
    let fields = arrival.request.head.headerFields
    let texts =
      fields.map(\.value) + [arrival.request.head.path ?? "", String(decoding: arrival.body, as: UTF8.self)]
    if texts.contains(where: { secret(in: $0) != nil }) { return "a secret" }
    let added = arrival.request.context.credentialFields
    return fields.first { credentials.contains($0.name) || added.contains($0.name) }
      .map { "the field \($0.name)" }
  }

  /// Returns the position of the secret that a text contains; nil if it contains none.
  func secret(in text: String) -> Int? { secrets.firstIndex { !$0.isEmpty && text.contains($0) } }
}

/// What a simulation has found.
public struct SimulationReport: Sendable, CustomStringConvertible {
  /// A history that broke a rule.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The seed that replays it.
    public let seed: UInt64
    /// The broken rules, as sentences.
    public let violations: [String]
    /// The steps that are left after those that the failure doesn't need were left out.
    public let steps: [String]
    /// What happened, line by line.
    public let story: [String]

    /// The rules, how to replay the history, its steps and its story.
    public var description: String {
      (["seed \(seed) fails; to replay it, pass seeds: \(seed)...\(seed)"]
        + violations.map { "  broken: \($0)" } + ["steps:"] + steps.map { "  \($0)" } + ["story:"]
        + story.map { "  \($0)" })
        .joined(separator: "\n")
    }
  }

  /// How many histories were run.
  public internal(set) var historyCount = 0
  /// How many requests have arrived at servers.
  public internal(set) var arrivalCount = 0
  /// How often each fault was met, by its name; `none` counts exchanges without one.
  public internal(set) var faultCounts: [String: Int] = [:]
  /// The first history that broke a rule; no further one was run.
  public internal(set) var failure: Failure?

  /// Throws the failure, if there is one.
  public func check() throws(Failure) {
    if let failure { throw failure }
  }

  /// The failure, or the numbers.
  public var description: String {
    if let failure { return failure.description }
    let faults = faultCounts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }
    return "\(historyCount) histories, \(arrivalCount) arrivals; faults: \(faults.joined(separator: ", "))"
  }
}
