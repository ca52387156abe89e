public import APIManagers
import BodyFormats
import Interception

extension DeploymentPart {
  /// APIs that are switched off, as a `DowngradeDocument`.
  ///
  /// Entries for other APIs are ignored.
  ///
  /// - Parameters:
  ///   - client: The app's client; what the app has switched off by itself stays off.
  ///   - apis: The APIs that may be switched off.
  public static func downgrades(of client: APIClient, _ apis: [any API.Type]) -> DeploymentPart {
    let (list, knownAPIs) = (client.downgrades, Set(apis.map { $0.identity }))
    return DeploymentPart("downgrades") { content in
      let document = try DowngradeDocument(content, knownAPIs: knownAPIs)
      return { list.apply(document) }
    } reset: {
      list.apply(.empty)
    }
  }

  /// The time limits and cache rules of some APIs.
  ///
  /// ```json
  /// [{"service": "estate", "api": "houses.list", "timeouts": {"idle": 40, "call": 60}, "cache": 600,
  ///   "staleIfError": 86400}]
  /// ```
  ///
  /// Time limits are 0.1 to 3,600 seconds of the phases `queue`, `connect`, `firstByte`, `idle`, `whole` and
  /// `call`; others stay as the endpoint has them. `cache` is `"off"`, `"stated"`, or the seconds for which
  /// responses are fresh, up to 30 days. A rule is refused for an API that does more than read, and for one
  /// whose endpoint forbids that its responses are stored. Entries for APIs that the app doesn't have are
  /// ignored.
  ///
  /// - Parameters:
  ///   - client: The app's client.
  ///   - apis: The APIs whose limits and rules may be changed.
  public static func endpoints(of client: APIClient, _ apis: [any API.Type]) -> DeploymentPart {
    let overrides = client.overrides
    let permitsRules = Dictionary(
      apis.map { ($0.identity, $0.permitsCacheRules) }, uniquingKeysWith: { $0 && $1 })
    return DeploymentPart("endpoints") { content in
      var table: [APIIdentity: EndpointOverride] = [:]
      for entry in try [EndpointEntry](json: try PartContent.json(content)) {
        guard let permitsRule = permitsRules[entry.api] else { continue }
        func fault(_ reason: String) -> DeploymentPart.Fault {
          DeploymentPart.Fault(reason, line: JSONDocument.line(at: entry.offset, in: content))
        }
        guard table[entry.api] == nil else { throw fault("\(entry.api) is listed twice; merge the entries.") }
        guard permitsRule || entry.override.cacheRule == nil else {
          throw fault("the endpoint of \(entry.api) permits no other cache rule; remove \"cache\".")
        }
        table[entry.api] = entry.override
      }
      return { [table] in overrides.apply(table) }
    } reset: {
      overrides.apply([:])
    }
  }
}

/// The limits and the rule of an API in a document.
private struct EndpointEntry: JSONReadable {
  private static let phases: [String: NetworkError.Phase] = [
    "queue": .queue, "connect": .connect, "firstByte": .firstByte, "idle": .idle, "whole": .whole,
    "call": .call,
  ]
  private static let limits = 0.1...3_600
  private static let lifetimes = 1.0...(30 * 86_400)

  let api: APIIdentity
  private(set) var override = EndpointOverride()
  let offset: Int

  init(json: JSONDocument) throws {
    offset = json.offset
    let fields = try json.values(knowing: ["service", "api", "timeouts", "cache", "staleIfError"])
    api = APIIdentity(
      service: try json[JSONField<String>("service")], name: try json[JSONField<String>("api")])
    let timeouts = try fields["timeouts"]?.values(knowing: Set(Self.phases.keys)) ?? [:]
    for (name, value) in timeouts {
      guard let phase = Self.phases[name] else { continue }
      override.timeouts[phase] = try value.seconds(in: Self.limits)
    }
    var rule = try fields["cache"].map(Self.rule)
    if let window = fields["staleIfError"] {
      guard let base = rule else { throw window.mismatch("needs \"cache\" beside it") }
      rule = base.staleIfError(for: try window.seconds(in: Self.lifetimes))
    }
    override.cacheRule = rule
  }

  private static func rule(_ json: JSONDocument) throws -> CacheRule {
    guard json.kind == .string else { return .timed(try json.seconds(in: lifetimes)) }
    return switch try String(json: json) {
    case "off": .off
    case "stated": .stated()
    default: throw json.mismatch("should be \"off\", \"stated\", or a number of seconds")
    }
  }
}
