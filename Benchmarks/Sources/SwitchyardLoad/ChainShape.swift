public import ArgumentParser
import BodyCompression
import DNSBypass
public import Interception
import Logging
import RequestLogging
import RequestSigning
import RequestValidation
import ResponseCaching

/// The chains whose own cost is measured.
public enum ChainShape: String, Sendable, CaseIterable, ExpressibleByArgument {
  /// No interceptor.
  case none
  /// Six that do nothing.
  case sixPassing = "six-passing"
  /// Six that do nothing, nested by type instead of listed.
  case sixNested = "six-nested"
  /// Six asynchronous calls through a protocol with nothing in them: what the language asks for a list.
  case sixBare = "six-bare"
  /// Validation, signing, caching, DNS bypass, compression and logging, the logger at `info` as it is by
  /// default; the cache is looked into and has nothing.
  case standardSix = "standard-six"
  /// As ``standardSix``, the logger at `debug`, so that each answer writes a line.
  case standardSixLogged = "standard-six-logged"
  /// As ``standardSix``, and the cache has a fresh answer.
  case cacheHit = "cache-hit"
  /// The caching interceptor alone, and it has a fresh answer.
  case cachingAlone = "caching-alone"

  /// The chain before `base`.
  ///
  /// - Parameters:
  ///   - base: Where the chain ends.
  ///   - authority: The authority that the DNS bypass knows, at 127.0.0.1.
  public func pipeline(over base: some Dispatcher, authority: String) throws -> Pipeline {
    switch self {
    case .none:
      return try Pipeline(over: base) {}
    case .sixPassing:
      return try Pipeline(over: base) {
        for _ in 0..<6 { PassingInterceptor() }
      }
    case .sixNested:
      return try Pipeline(over: Self.nested(over: base)) {}
    case .sixBare:
      return try Pipeline(over: BareChain(6, over: base)) {}
    case .standardSix, .cacheHit:
      return try Self.standard(over: base, authority: authority, level: .info)
    case .standardSixLogged:
      return try Self.standard(over: base, authority: authority, level: .debug)
    case .cachingAlone:
      return try Pipeline(over: base) { CachingInterceptor() }
    }
  }

  /// Whether a cache is among its interceptors.
  var caches: Bool { ![.none, .sixPassing, .sixNested, .sixBare].contains(self) }

  /// What the stub's answers say of being stored.
  public var cacheControl: String {
    switch self {
    case .cacheHit, .cachingAlone: "max-age=86400"
    default: "no-store"
    }
  }

  /// One that does nothing before a dispatcher.
  typealias Passing<Base: Dispatcher> = Intercepted<PassingInterceptor, Base>
  /// Six that do nothing before a dispatcher.
  typealias SixNested<Base: Dispatcher> = Passing<Passing<Passing<Passing<Passing<Passing<Base>>>>>>

  /// Six that do nothing before `base`, which the optimiser sees through.
  static func nested<Base: Dispatcher>(over base: Base) -> SixNested<Base> {
    let passing = PassingInterceptor()
    return base.intercepted(by: passing).intercepted(by: passing).intercepted(by: passing)
      .intercepted(by: passing).intercepted(by: passing).intercepted(by: passing)
  }

  private static func standard(
    over base: some Dispatcher, authority: String, level: Logger.Level
  ) throws -> Pipeline {
    let key = try SigningKey(id: "benchmark", secret: Array(repeating: 7, count: 32))
    let addresses = try AddressTable([authority: ["127.0.0.1"]], allowing: [.loopback])
    let logger = Logger(label: "benchmark") { _ in DiscardingLogHandler(logLevel: level) }
    return try Pipeline(over: base) {
      ValidationInterceptor()
      SigningInterceptor(key: key)
      CachingInterceptor()
      DNSBypassInterceptor(addresses)
      CompressionInterceptor()
      LoggingInterceptor(logger: logger)
    }
  }
}
