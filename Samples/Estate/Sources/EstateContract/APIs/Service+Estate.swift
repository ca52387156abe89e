package import APIManagers
import BodyCompression
import HTTPTypes
package import Interception

extension Service {
  /// The sample's API server: one program, which production and staging reach by different names.
  package static let estate = Service(
    "estate", at: ServiceAddress(authority: estateHost, version: "v1"),
    releaseCandidate: ServiceAddress(authority: stagingHost, version: "v1"),
    develop: ServiceAddress(authority: stagingHost, version: "v1"),
    jsonFormat: JSONCoding(usesSnakeCase: true),
    common: CommonFields(headerFields: { _ in [.userAgent: "Estate/1"] }))

  /// The APIs that fail on purpose, in production only; their version precedes the base path.
  package static let demo = Service(
    "demo", at: ServiceAddress(authority: estateHost, basePath: "/demo", version: "v1"),
    urlRule: URLRule { address, path in "/\(address.version ?? "v1")\(address.basePath)\(path)" },
    responseRule: ServiceRule.statuses([
      426: .invalid("This version of the app is too old; install the current one.")
    ]).otherwise(
      ServiceRule { response in
        response.headerFields[.estateNotice] == nil ? .proceed : .swallow("The app shows the notice.")
      }),
    common: CommonFields(params: { api in ["caller": api.name] }))

  /// The name of the server in production, which only the app's own address list resolves.
  package static let estateHost = "api.estate.test"

  /// The name of the server in staging; it has an address in that list too.
  package static let stagingHost = "staging.estate.test"

  /// A name of the same address that the server's certificate does not cover.
  package static let strangerHost = "stranger.estate.test"
}

extension HTTPField.Name {
  /// `Estate-Notice`: what the server wants the user to know, also in a response with status 200.
  // The literal is a legal name, so the fallback is never used.
  fileprivate static let estateNotice = HTTPField.Name("Estate-Notice") ?? .age
}

extension CacheRule {
  /// The rule for what is better shown old than not at all: fresh for a minute, and usable for a day more if
  /// the server fails.
  package static let browsing = CacheRule.timed(.seconds(60)).staleIfError(for: .seconds(86_400))
}

extension DataTag {
  /// What the server says about one home.
  package static func home(_ id: Int) -> DataTag { DataTag("home \(id)") }
}

extension Endpoint {
  /// The endpoint with long bodies compressed, because the sample's server accepts gzip.
  package var compressed: Endpoint {
    var endpoint = self
    endpoint.context.requestCompression = .unlessRefused(.gzip)
    return endpoint
  }
}
