import BodyCompression
import CookieKeeping
import DNSBypass
import Foundation
import HTTPTypes
import Inspection
public import Interception
import Logging
import RedirectFollowing
import RequestAuthorization
import RequestLogging
import RequestRetry
import RequestSharing
import RequestSigning
import RequestTelemetry
import RequestValidation
import ResponseCaching

/// The chain of an app: all that `Pipeline.standard` can have, with a token, a log file, telemetry, and an
/// inspector whose page is not open.
///
/// It has the order of `Pipeline.standard`, which isn't called, because the umbrella would add the linkage of
/// everything else to the measured programs. The files of this folder are also a target of the package, for
/// the test of the heap objects.
public struct AppChain: Sendable {
  /// A part of the chain, so that what it costs can be measured by leaving it out.
  public enum Part: String, Sendable, CaseIterable {
    case validation, sharing, redirects, retry, cookies, authorization, signing, caching, bypass, compression
    case logging, telemetry, inspector
  }

  /// The key of all signatures of the benchmarks.
  static var key: SigningKey {
    get throws { try SigningKey(id: "benchmark", secret: Array(repeating: 7, count: 32)) }
  }

  /// The authority of ``request``.
  public static let authority = "api.example.com"

  /// A request of an API, with an identity of its own.
  public static var request: Request {
    var request = Request(
      authority: authority, path: "/v1/houses?city=SACRAMENTO&page=1",
      headerFields: [.accept: "application/json"])
    request.context.api = APIIdentity(service: "estate", name: "houses.list")
    return request
  }

  private let missing: Part?

  /// Creates a description of the chain.
  ///
  /// - Parameter missing: The part to leave out; nil for none.
  public init(leavingOut missing: Part? = nil) { self.missing = missing }

  /// Builds the chain.
  ///
  /// - Parameters:
  ///   - base: The end of the chain.
  ///   - authority: The origin that gets the token, and the host whose address is known: 127.0.0.1.
  public func pipeline(over base: some Dispatcher, authority: String) throws -> Pipeline {
    let parts = try Part.allCases.filter { $0 != missing }
      .compactMap { try Self.interceptor($0, authority: authority) }
      .sorted { $0.traits.stage < $1.traits.stage }
    let observers = missing == .inspector ? [] : [Inspector(app: "benchmark")]
    return try Pipeline(over: base, observers: observers) { parts }
  }

  private static func interceptor(_ part: Part, authority: String) throws -> (any Interceptor)? {
    switch part {
    case .validation: ValidationInterceptor()
    case .sharing: SharingInterceptor()
    case .redirects: RedirectInterceptor()
    case .retry: RetryInterceptor()
    case .cookies: CookieInterceptor()
    case .authorization:
      try AuthorizationInterceptor(
        BearerAuthorization(AccessToken("dG9rZW4tb2YtdGhlLWJlbmNobWFyaw")),
        for: [authority, "http://\(authority)"])
    case .signing: SigningInterceptor(key: try key, identity: .app)
    case .caching: CachingInterceptor(defaultRule: .stated())
    case .bypass:
      // Where the program is emulated to count instructions, connecting takes longer than by default.
      DNSBypassInterceptor(
        try AddressTable([authority: ["127.0.0.1"]], allowing: [.loopback]), attemptDelay: .seconds(2),
        isProbing: false)
    case .compression: CompressionInterceptor()
    case .logging:
      LoggingInterceptor(logger: Logger(label: "app") { _ in FileLogHandler.temporary })
    case .telemetry: TelemetryInterceptor(metrics: DiscardingMetrics(), tracer: DiscardingTracer())
    // An observer.
    case .inspector: nil
    }
  }
}

/// Appends a line for each event at `info` or above to a temporary file, which the system discards when the
/// program ends, because its name is removed at once.
struct FileLogHandler: LogHandler {
  var logLevel = Logger.Level.info
  var metadata: Logger.Metadata = [:]
  private let file: FileHandle?

  /// A handler that writes to a file of its own.
  static var temporary: FileLogHandler {
    let path = FileManager.default.temporaryDirectory.appendingPathComponent("log-\(UUID()).txt").path
    guard FileManager.default.createFile(atPath: path, contents: nil) else {
      return FileLogHandler(file: nil)
    }
    defer { try? FileManager.default.removeItem(atPath: path) }
    return FileLogHandler(file: FileHandle(forWritingAtPath: path))
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { metadata[key] }
    set { metadata[key] = newValue }
  }

  func log(event: LogEvent) {
    var line = "\(event.level) \(event.message)"
    for (key, value) in event.metadata ?? [:] { line += " \(key)=\(value)" }
    line += "\n"
    try? file?.write(contentsOf: Data(line.utf8))
  }
}
