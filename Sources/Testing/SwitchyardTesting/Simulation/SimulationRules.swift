import HTTPTypes
public import Interception

/// Rules for requests and outputs, in addition to those of every simulation.
public struct SimulationRules: Sendable {
  /// The origins that credentials and secrets are for.
  let trustedOrigins: Set<String>
  /// The header fields that only trusted origins may receive, besides those of a request's context.
  let credentials: CredentialFields
  /// Texts that occur in no output, and in no request to another origin.
  let secrets: [String]

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
