import APIManagers
import DNSBypass
import FeatureFlags
import Interception
import Mediation
import RouteRedirects
import SwitchyardTesting

@testable import Deployment

extension FuzzTarget {
  static let deploymentDocument = FuzzTarget(
    name: "deployment-document",
    reads: "the signed lines of deployment documents, the JSON of their parts, and what has been accepted",
    maximumLength: 8_192,
    seeds: [
      seed(""), seed("app 3.2\nshare 100 express\nrevoke 2024\nrevoke 2025\n"),
      seed(part: "flags", "{\"a\": true, \"b\": 4,\n\"c\": \"x\"}"),
      seed(
        part: "routes",
        "{\"rules\": [{\"from\": \"estate://map\", \"disabled\": true}], \"modulesOff\": [\"Homes\"]}"),
      seed(
        part: "endpoints",
        "[{\"service\": \"s\", \"api\": \"a\", \"timeouts\": {\"idle\": 4}, \"cache\": \"stated\"}]"),
      seed(part: "addresses", "{\"a.example\": [\"8.8.8.8\"]}"),
      seed(
        part: "downgrades", "{\"switchedOff\": [{\"service\": \"s\", \"api\": \"a\", \"reason\": \"r\"}]}"),
    ],
    words: [
      "version ", "valid ", "app ", "share ", "revoke ", "part ", "flags", "routes", "endpoints", "\n", "0",
      "{",
      "}", "\"", ": ", "18446744073709551615", "9223372036854775807",
    ]
  ) { bytes in
    if let record = DeploymentRecord(bytes) {
      try require(record.bytes, equals: bytes, "A record is written as it was read.")
    }
    do throws(DeploymentError) {
      let draft = try DeploymentDraft(DeploymentSyntax(bytes))
      guard let written = try? draft.bytes() else {
        throw DeploymentError(.argument("A draft that is read could not be written."))
      }
      if written != bytes { throw DeploymentError(.argument("A draft is not written as it was read.")) }
      try check(draft, bytes)
    } catch {
      if case .argument(let law) = error.kind { throw BrokenLaw(law: law, evidence: text(bytes)) }
      try require(
        !"\(error)".unicodeScalars.contains { $0.properties.generalCategory == .control && $0 != "\n" },
        "An error has no control characters.", "\(error)")
      let lines = bytes.count { $0 == 0x0A } + 1
      try require(error.line.map { (1...lines).contains($0) } != false, "An error's line exists.", "\(error)")
    }
  }

  private static func seed(_ lines: String) -> [UInt8] {
    Array("version 12\nvalid 1780268400 1782864000\n\(lines)".utf8)
  }

  private static func seed(part: String, _ content: String) -> [UInt8] {
    seed("part \(part) \(content.utf8.count)\n\(content)\n")
  }

  /// Checks the parts of a draft, and applies those that are accepted.
  private static func check(_ draft: DeploymentDraft, _ bytes: [UInt8]) throws(DeploymentError) {
    let document = DeploymentDocument(
      version: draft.version, parts: draft.parts.map { (name: $0.key, content: $0.value) }, key: "1",
      revokedKeys: [], bytes: bytes)
    let flag = FeatureFlag("a", default: false)
    let redirects = RedirectTables(.unsigned())
    let client = APIClient(dispatcher: ScriptedDispatcher())
    guard let flags = try? DeployedFlags([flag, FeatureFlag("b", default: 1, in: 0...9)]),
      (try? Mediator(schemes: ["estate"], modules: [DeployedModule()], redirector: redirects)) != nil
    else { throw DeploymentError(.argument("The app of the target can't be created.")) }
    let parts: [DeploymentPart] = [
      .flags(flags), .routes(redirects),
      .downgrades(of: client, [DeployedAPI.self]), .endpoints(of: client, [DeployedAPI.self]),
      .addresses(of: DNSBypassInterceptor(.empty, prober: nil)),
    ]
    try DeploymentPlan(document, parts: parts).apply()
    _ = flags[flag]
  }
}

private struct DeployedAPI: API {
  static let endpoint = Endpoint<NoParams>(
    Service("s", at: ServiceAddress(authority: "a.example")), "a", path: "/a")
}

private struct DeployedModule: BusinessModule {
  struct MapRoute: ParameterlessRoute {
    static let pattern: RoutePattern = "estate://map"
    init() {}
  }

  let name = "Homes"

  func declare(into table: inout RouteTable) { table.action(MapRoute.self) { _, _ in } }
}
