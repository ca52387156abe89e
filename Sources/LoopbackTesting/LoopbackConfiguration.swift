public import Interception

/// What a loopback server speaks, and how it meets connections.
public struct LoopbackConfiguration: Sendable {
  /// Whether it speaks TLS, and as whom.
  public enum Security: Sendable {
    /// Plain TCP; HTTP/1.1 only.
    case none
    /// TLS with one of a set's certificates.
    case tls(LoopbackCertificates, LoopbackCertificates.Kind = .good)

    var isOn: Bool {
      if case .tls = self { true } else { false }
    }
  }

  /// A version of TLS.
  public enum TLSVersion: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// RFC 2246, which RFC 8996 forbids.
    case tls10
    /// RFC 4346, which RFC 8996 forbids.
    case tls11
    /// RFC 5246.
    case tls12
    /// RFC 8446.
    case tls13

    /// Whether one version is older than another one.
    public static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
  }

  /// How a connection is met, before anything is read from it.
  public enum Greeting: Sendable, Hashable {
    /// As a server should.
    case serve
    /// With silence, even where a TLS handshake is due.
    case silent
    /// With its end.
    case close
    /// With a TCP reset.
    case reset
    /// With these bytes, beneath TLS, and its end.
    case garbage([UInt8])
  }

  /// Whether it speaks TLS, and as whom.
  public var security: Security
  /// The versions of HTTP; HTTP/2 is offered by ALPN, so it needs TLS.
  public var versions: Set<LoopbackVersion>
  /// The versions of TLS.
  public var tlsVersions: ClosedRange<TLSVersion>
  /// How a connection is met.
  public var greeting: Greeting
  /// The clock of delays and slow answers.
  public var time: TimeSource
  /// The most bytes of a request's content; more is answered with 413 and the connection's end.
  public var bodyLimit: Int
  /// The most streams of an HTTP/2 connection at a time.
  public var concurrentStreams: Int
  /// Faults for requests that the handler answers, asked when only the head has arrived.
  ///
  /// They are the ones for ``LoopbackMoment/requestStart`` and ``LoopbackMoment/requestBody``; an answer of
  /// the script carries its own.
  public var earlyFaults: @Sendable (LoopbackRequest) -> [LoopbackFault]

  /// Makes a configuration; plain HTTP/1.1 by default.
  public init(
    security: Security = .none, versions: Set<LoopbackVersion> = [.http1, .http2],
    tlsVersions: ClosedRange<TLSVersion> = .tls12 ... .tls13, greeting: Greeting = .serve,
    time: TimeSource = .system, bodyLimit: Int = 64 << 20, concurrentStreams: Int = 128,
    earlyFaults: @escaping @Sendable (LoopbackRequest) -> [LoopbackFault] = { _ in [] }
  ) {
    self.security = security
    self.versions = versions
    self.tlsVersions = tlsVersions
    self.greeting = greeting
    self.time = time
    self.bodyLimit = bodyLimit
    self.concurrentStreams = concurrentStreams
    self.earlyFaults = earlyFaults
  }
}
