#if LoopbackTesting
public import Interception
import NIOSSL

/// The protocols of a loopback server, and its treatment of connections.
public struct LoopbackConfiguration: Sendable {
  /// Whether the server uses TLS, and with which certificate.
  public enum Security: Sendable {
    /// Plain TCP; HTTP/1.1 only.
    case none
    /// TLS with a certificate of a set.
    case tls(LoopbackCertificates, LoopbackCertificates.Kind = .good)

    var isOn: Bool {
      if case .tls = self { true } else { false }
    }
  }

  /// A version of TLS.
  enum TLSVersion: Int, Comparable {
    /// TLS 1.0 (RFC 2246), which RFC 8996 deprecates.
    case tls10
    /// TLS 1.1 (RFC 4346), which RFC 8996 deprecates.
    case tls11
    /// TLS 1.2 (RFC 5246).
    case tls12
    /// TLS 1.3 (RFC 8446).
    case tls13

    /// Returns whether one version is older than another one.
    static func < (left: TLSVersion, right: TLSVersion) -> Bool { left.rawValue < right.rawValue }
  }

  /// The treatment of a new connection, before anything is read from it.
  public enum Greeting: Sendable, Hashable {
    /// Serves the connection.
    case serve
    /// Sends nothing, not even a TLS handshake.
    case silent
    /// Closes the connection.
    case close
    /// Resets the TCP connection.
    case reset
    /// Sends bytes below TLS, and closes the connection.
    case garbage([UInt8])
  }

  /// Whether the server uses TLS, and with which certificate.
  let security: Security
  /// The versions of HTTP; HTTP/2 requires TLS, because it is negotiated by ALPN.
  let versions: Set<LoopbackVersion>
  /// The versions of TLS.
  var tlsVersions: ClosedRange<TLSVersion> = .tls12 ... .tls13
  /// The treatment of new connections.
  let greeting: Greeting
  /// The clock of delays and slow responses.
  let time: TimeSource
  /// The maximum size of a request's content in bytes; if exceeded, the server responds 413 and closes the
  /// connection.
  let bodyLimit: Int
  /// The maximum number of concurrent streams of an HTTP/2 connection.
  let concurrentStreams = 128
  /// Returns faults for a request that the handler responds to, when only its head has arrived.
  let earlyFaults: @Sendable (LoopbackRequest) -> [LoopbackFault]

  /// Creates a configuration; plain HTTP/1.1 by default.
  ///
  /// - Parameters:
  ///   - security: Whether the server uses TLS, and with which certificate.
  ///   - versions: The versions of HTTP. HTTP/2 requires TLS, because ALPN negotiates it.
  ///   - greeting: The treatment of new connections.
  ///   - time: The clock of delays and slow responses.
  ///   - bodyLimit: The maximum size of a request's content in bytes. The server answers a larger one with
  ///     413 and closes the connection.
  ///   - earlyFaults: Returns faults for a request that the handler responds to, when only its head has
  ///     arrived: for ``LoopbackMoment/requestStart`` and ``LoopbackMoment/requestBody``. A scripted response
  ///     has its own faults.
  public init(
    security: Security = .none, versions: Set<LoopbackVersion> = [.http1, .http2],
    greeting: Greeting = .serve, time: TimeSource = .system, bodyLimit: Int = 64 << 20,
    earlyFaults: @escaping @Sendable (LoopbackRequest) -> [LoopbackFault] = { _ in [] }
  ) {
    self.security = security
    self.versions = versions
    self.greeting = greeting
    self.time = time
    self.bodyLimit = bodyLimit
    self.earlyFaults = earlyFaults
  }
}

extension LoopbackConfiguration {
  /// Creates the TLS context of all connections; nil without TLS.
  func makeTLSContext() throws -> NIOSSLContext? {
    guard case .tls(let certificates, let kind) = security else { return nil }
    do {
      let chain = try NIOSSLCertificate.fromPEMFile(certificates.certificate(kind))
      let key = try NIOSSLPrivateKey(file: certificates.key(kind), format: .pem)
      var tls = TLSConfiguration.makeServerConfiguration(
        certificateChain: chain.map { .certificate($0) }, privateKey: .privateKey(key))
      tls.minimumTLSVersion = tlsVersions.lowerBound.engineVersion
      tls.maximumTLSVersion = tlsVersions.upperBound.engineVersion
      tls.applicationProtocols =
        (versions.contains(.http2) ? ["h2"] : []) + (versions.contains(.http1) ? ["http/1.1"] : [])
      return try NIOSSLContext(configuration: tls)
    } catch {
      throw LoopbackError("The certificate \(kind) cannot be used (\(error)); create a new set.")
    }
  }
}

extension LoopbackConfiguration.TLSVersion {
  fileprivate var engineVersion: TLSVersion {
    switch self {
    case .tls10: .tlsv1
    case .tls11: .tlsv11
    case .tls12: .tlsv12
    case .tls13: .tlsv13
    }
  }
}
#endif
