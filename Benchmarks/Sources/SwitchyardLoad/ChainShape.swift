public import ArgumentParser
import BodyCompression
import CookieKeeping
import DNSBypass
import Inspection
public import Interception
import Logging
import MessageSignatures
import RedirectFollowing
import RequestAuthorization
import RequestLogging
import RequestRetry
import RequestSharing
import RequestSigning
import RequestTelemetry
import RequestValidation
import ResponseCaching

/// The chains whose own cost is measured.
public enum ChainShape: String, Sendable, CaseIterable, ExpressibleByArgument {
  /// No interceptor.
  case none
  /// Six interceptors that do nothing.
  case sixPassing = "six-passing"
  /// Like ``sixPassing``, with an inspector whose page is not served.
  case inspected
  /// Like ``inspected``, with the times of the interceptors.
  case inspectedSteps = "inspected-steps"
  /// Six empty asynchronous calls through a protocol: the minimum cost of a list in the language.
  case sixBare = "six-bare"
  /// Validation, signing, caching, DNS bypass, compression and logging, with the logger at its default level
  /// `info`; the cache lookup is a miss.
  case standardSix = "standard-six"
  /// Like ``standardSix``, with the logger at `debug`, so that each response logs a line.
  case standardSixLogged = "standard-six-logged"
  /// Like ``standardSix``, with metrics and spans that a backend discards.
  case standardSixTelemetry = "standard-six-telemetry"
  /// Like ``standardSix``, with a fresh response in the cache.
  case cacheHit = "cache-hit"
  /// The caching interceptor alone, with a fresh response in the cache.
  case cachingAlone = "caching-alone"
  /// The signing interceptor alone, for a request with 1 KB of content.
  case signingAlone = "signing-alone"
  /// HTTP Message Signatures alone, with a shared secret, for a request with 1 KB of content.
  case messageSigningAlone = "message-signing-alone"
  /// The retry interceptor alone, for a response that is not retried.
  case retryAlone = "retry-alone"
  /// The redirect interceptor alone, for a response that is no redirect.
  case redirectsAlone = "redirects-alone"
  /// The authorization interceptor alone, for a request to another origin.
  case authorizationAlone = "authorization-alone"
  /// The interceptor that decodes responses alone.
  case decodingAlone = "decoding-alone"
  /// The cookie interceptor alone, with an empty store.
  case cookiesAlone = "cookies-alone"
  /// The sharing interceptor alone, for a request that no other one joins.
  case sharingAlone = "sharing-alone"
  /// The DNS bypass alone, for a host whose address is known, without probes.
  case bypassAlone = "bypass-alone"
  /// The chain of an app; see ``AppChain``.
  case appChain = "app-chain"

  /// Creates the chain before `base`.
  ///
  /// - Parameters:
  ///   - base: The end of the chain.
  ///   - authority: The authority in the DNS bypass's table, at 127.0.0.1.
  ///   - missing: The part that ``appChain`` leaves out; nil for none.
  public func pipeline(
    over base: some Dispatcher, authority: String, leavingOut missing: AppChain.Part? = nil
  ) throws -> Pipeline {
    switch self {
    case .none:
      return try Pipeline(over: base) {}
    case .sixPassing:
      return try Pipeline(over: base) {
        for _ in 0..<6 { PassingInterceptor() }
      }
    case .inspected, .inspectedSteps:
      let inspector = Inspector(app: "benchmark", alwaysRecordsSteps: self == .inspectedSteps)
      return try Pipeline(over: base, observers: [inspector]) {
        for _ in 0..<6 { PassingInterceptor() }
      }
    case .sixBare:
      return try Pipeline(over: BareChain(6, over: base)) {}
    case .standardSix, .cacheHit:
      return try Self.standard(over: base, authority: authority, level: .info)
    case .standardSixTelemetry:
      return try Self.standard(
        over: base, authority: authority, level: .info,
        recorders: [TelemetryInterceptor(metrics: DiscardingMetrics(), tracer: DiscardingTracer())])
    case .signingAlone:
      let key = try AppChain.key
      return try Pipeline(over: base) { SigningInterceptor(key: key, identity: .app) }
    case .messageSigningAlone:
      let key = try MessageKey(id: "benchmark", sharedSecret: Array(repeating: 7, count: 32))
      return try Pipeline(over: base) { MessageSigningInterceptor(key: key, identity: .app) }
    case .standardSixLogged:
      return try Self.standard(over: base, authority: authority, level: .debug)
    case .cachingAlone:
      return try Pipeline(over: base) { CachingInterceptor() }
    case .retryAlone:
      return try Pipeline(over: base) { RetryInterceptor() }
    case .redirectsAlone:
      return try Pipeline(over: base) { RedirectInterceptor() }
    case .authorizationAlone:
      let scheme = BearerAuthorization(try AccessToken("token"))
      let authorization = try AuthorizationInterceptor(scheme, for: ["login.example.com"])
      return try Pipeline(over: base) { authorization }
    case .decodingAlone:
      return try Pipeline(over: base) { CompressionInterceptor() }
    case .cookiesAlone:
      return try Pipeline(over: base) { CookieInterceptor() }
    case .sharingAlone:
      return try Pipeline(over: base) { SharingInterceptor() }
    case .bypassAlone:
      let addresses = try AddressTable([authority: ["127.0.0.1", "127.0.0.2"]], allowing: [.loopback])
      return try Pipeline(over: base) { DNSBypassInterceptor(addresses, isProbing: false) }
    case .appChain:
      return try AppChain(leavingOut: missing).pipeline(over: base, authority: authority)
    }
  }

  /// Whether the chain contains a cache.
  var caches: Bool {
    [.standardSix, .standardSixLogged, .standardSixTelemetry, .cacheHit, .cachingAlone].contains(self)
  }

  /// The `Cache-Control` of the stub's responses.
  public var cacheControl: String {
    switch self {
    case .cacheHit, .cachingAlone: "max-age=86400"
    default: "no-store"
    }
  }

  /// The content of the request; empty for most shapes.
  var body: RequestBody {
    self == .signingAlone || self == .messageSigningAlone ? .bytes(Self.kilobyte) : .empty
  }

  /// The content whose signature is measured.
  static let kilobyte = [UInt8](repeating: 0x61, count: 1_000)

  private static func standard(
    over base: some Dispatcher, authority: String, level: Logger.Level, recorders: [any Interceptor] = []
  ) throws -> Pipeline {
    let key = try AppChain.key
    let addresses = try AddressTable([authority: ["127.0.0.1"]], allowing: [.loopback])
    let logger = Logger(label: "benchmark") { _ in DiscardingLogHandler(logLevel: level) }
    return try Pipeline(over: base) {
      ValidationInterceptor()
      SigningInterceptor(key: key, identity: .app)
      CachingInterceptor()
      // Where the program is emulated to count instructions, connecting takes longer than by default.
      DNSBypassInterceptor(addresses, attemptDelay: .seconds(2))
      CompressionInterceptor()
      LoggingInterceptor(logger: logger)
      recorders
    }
  }
}

extension AppChain.Part: ExpressibleByArgument {}
