#if LoopbackTesting
import NIOSSL

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
