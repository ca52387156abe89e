import CLibssl
import Foundation
import ToolCommands

/// Reads the certificate of a server in a connection of its own, after it was refused.
///
/// libcurl does not hand over a certificate that it refuses. Nothing but a TLS handshake is sent; the
/// connection is closed as soon as the certificate has arrived.
enum CertificateReader {
  /// The limit of connection and handshake.
  private static let limit = Duration.seconds(3)

  /// Returns what the certificate says; nil if it can't be read within three seconds.
  ///
  /// - Parameters:
  ///   - server: The host whose certificate it is, and its port.
  ///   - address: Where to connect instead, if that was chosen without DNS.
  static func certificate(of server: ServerAddress, at address: ServerAddress?) -> CertificateFacts? {
    let deadline = ContinuousClock.now + limit
    let port = address?.port ?? server.port ?? 443
    let descriptor = openConnection(to: address?.host ?? server.host, port, until: deadline)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
    defer { SSL_CTX_free(context) }
    guard let connection = SSL_new(context) else { return nil }
    defer { SSL_free(connection) }
    guard SSL_set_fd(connection, descriptor) == 1 else { return nil }
    // It is read, and never trusted.
    SSL_set_verify(connection, SSL_VERIFY_NONE, nil)
    setName(server.host, of: connection)
    shakeHands(connection, descriptor, until: deadline)
    // It may have arrived although the handshake failed, for example for want of a client's certificate.
    guard let certificate = SSL_get1_peer_certificate(connection) else { return nil }
    defer { X509_free(certificate) }
    return facts(of: certificate)
  }

  // MARK: The connection

  private static func openConnection(
    to host: String, _ port: UInt16, until deadline: ContinuousClock.Instant
  ) -> Int32 {
    var hints = addrinfo()
    hints.ai_socktype = streamType
    var list: UnsafeMutablePointer<addrinfo>?
    guard getaddrinfo(host, "\(port)", &hints, &list) == 0 else { return -1 }
    defer { freeaddrinfo(list) }
    var next = list
    while let candidate = next?.pointee {
      next = candidate.ai_next
      let descriptor = socket(candidate.ai_family, candidate.ai_socktype, candidate.ai_protocol)
      guard descriptor >= 0 else { continue }
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
      _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
      let isConnected = connect(descriptor, candidate.ai_addr, candidate.ai_addrlen) == 0
      if isConnected
        || (errno == EINPROGRESS && isReady(descriptor, Int16(POLLOUT), until: deadline)
          && pendingError(descriptor) == 0)
      {
        return descriptor
      }
      close(descriptor)
    }
    return -1
  }

  private static var streamType: Int32 {
    #if canImport(Darwin)
    SOCK_STREAM
    #else
    Int32(SOCK_STREAM.rawValue)
    #endif
  }

  private static func isReady(
    _ descriptor: Int32, _ events: Int16, until deadline: ContinuousClock.Instant
  ) -> Bool {
    let left = ContinuousClock.now.duration(to: deadline)
    let milliseconds = Int32(clamping: Int64(Figures.seconds(max(left, .zero)) * 1_000))
    var polled = pollfd(fd: descriptor, events: events, revents: 0)
    return milliseconds > 0 && poll(&polled, 1, milliseconds) > 0
  }

  private static func pendingError(_ descriptor: Int32) -> Int32 {
    var code: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
  }

  // MARK: The handshake

  private static func setName(_ host: String, of connection: OpaquePointer) {
    // An address is no name (RFC 6066, section 3).
    var address = in6_addr()
    guard inet_pton(AF_INET, host, &address) != 1, inet_pton(AF_INET6, host, &address) != 1 else { return }
    // SSL_set_tlsext_host_name is a macro.
    var name = Array(host.utf8CString)
    _ = SSL_ctrl(connection, SSL_CTRL_SET_TLSEXT_HOSTNAME, Int(TLSEXT_NAMETYPE_host_name), &name)
  }

  private static func shakeHands(
    _ connection: OpaquePointer, _ descriptor: Int32, until deadline: ContinuousClock.Instant
  ) {
    while true {
      let result = SSL_connect(connection)
      guard result != 1 else { return }
      let events =
        switch SSL_get_error(connection, result) {
        case SSL_ERROR_WANT_READ: Int16(POLLIN)
        case SSL_ERROR_WANT_WRITE: Int16(POLLOUT)
        default: Int16(0)
        }
      guard events != 0, isReady(descriptor, events, until: deadline) else { return }
    }
  }

  // MARK: The certificate

  private static func facts(of certificate: OpaquePointer) -> CertificateFacts? {
    guard let first = seconds(X509_get0_notBefore(certificate)),
      let last = seconds(X509_get0_notAfter(certificate))
    else { return nil }
    return CertificateFacts(
      subject: name(X509_get_subject_name(certificate)), issuer: name(X509_get_issuer_name(certificate)),
      notBefore: first, notAfter: last, names: names(of: certificate))
  }

  private static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
    guard let time, let epoch = ASN1_TIME_set(nil, 0) else { return nil }
    defer { ASN1_TIME_free(epoch) }
    var (days, rest): (Int32, Int32) = (0, 0)
    guard ASN1_TIME_diff(&days, &rest, epoch, time) == 1 else { return nil }
    return Int64(days) * 86_400 + Int64(rest)
  }

  private static func name(_ name: OpaquePointer?) -> String {
    guard let name, let memory = BIO_new(BIO_s_mem()) else { return "" }
    defer { BIO_free(memory) }
    X509_NAME_print_ex(memory, name, 0, switchyard_tool_name_flags)
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = max(BIO_read(memory, &bytes, Int32(bytes.count)), 0)
    return String(decoding: bytes.prefix(Int(count)), as: UTF8.self)
  }

  private static func names(of certificate: OpaquePointer) -> [String] {
    guard let extensions = X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) else { return [] }
    let list = OpaquePointer(extensions)
    defer { GENERAL_NAMES_free(list) }
    return (0..<min(OPENSSL_sk_num(list), 1_000)).compactMap { index in
      guard let entry = OPENSSL_sk_value(list, index)?.assumingMemoryBound(to: GENERAL_NAME.self) else {
        return nil
      }
      var kind: Int32 = 0
      guard let value = GENERAL_NAME_get0_value(entry, &kind), kind == GEN_DNS || kind == GEN_IPADD else {
        return nil
      }
      let text = value.assumingMemoryBound(to: ASN1_STRING.self)
      guard let start = ASN1_STRING_get0_data(text) else { return nil }
      let bytes = UnsafeBufferPointer(start: start, count: Int(ASN1_STRING_length(text)))
      return kind == GEN_DNS ? String(decoding: bytes, as: UTF8.self) : address(Array(bytes))
    }
  }

  private static func address(_ bytes: [UInt8]) -> String? {
    guard bytes.count == 4 || bytes.count == 16 else { return nil }
    var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
    let family = bytes.count == 4 ? AF_INET : AF_INET6
    guard inet_ntop(family, bytes, &text, socklen_t(text.count)) != nil else { return nil }
    return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }
}
