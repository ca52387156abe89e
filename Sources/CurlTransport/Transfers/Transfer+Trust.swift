import CCurlShims
import CLibcurl

extension Transfer {
  /// Tells libcurl whom to trust, what to show and which keys to demand; returns those.
  func setTrust(_ handle: EasyHandle, _ tls: TLSPolicy) throws(CurlError) -> Pinning? {
    try handle.set(CURLOPT_SSL_VERIFYPEER, 1)
    try handle.set(CURLOPT_SSL_VERIFYHOST, 2)
    try handle.set(CURLOPT_SSLVERSION, tls.minimumVersion.option)
    if case .file(let path) = tls.authorities {
      try handle.set(CURLOPT_CAINFO, path)
      // Else the system's directory of authorities would be trusted besides.
      try handle.set(CURLOPT_CAPATH, nil)
    }
    if tls.stapling == .required {
      try handle.set(CURLOPT_SSL_VERIFYSTATUS, 1)
      try StapledHandshake.configure(handle)
    }
    if let certificate = tls.clientCertificate, certificate.isMeant(for: plan.origin.host) {
      try handle.set(CURLOPT_SSLCERT, certificate.certificateFile)
      try handle.set(CURLOPT_SSLKEY, certificate.keyFile)
      // Without words of ours, OpenSSL would ask for them at the terminal, and the thread would wait there.
      try handle.set(CURLOPT_KEYPASSWD, certificate.givenPassphrase ?? "")
    }
    guard let entry = tls.pins.entry(for: plan.origin.host) else { return nil }
    if entry.mode == .enforced { try handle.set(CURLOPT_PINNEDPUBLICKEY, entry.list) }
    if tls.onPinMismatch != nil { try handle.set(CURLOPT_CERTINFO, 1) }
    return Pinning(entry: entry, report: tls.onPinMismatch)
  }

  /// Reports a key that is not pinned and is used nevertheless, where this transfer made the connection.
  func checkPin() {
    guard let pinning = route?.pinning, pinning.entry.mode == .reportOnly, pinning.report != nil,
      let seen = member.handle.leafCertificate.flatMap(CertificateKey.pin), !pinning.entry.pins.contains(seen)
    else { return }
    report(pinning, seen: seen)
  }

  /// Reports a key for which libcurl refused the connection.
  func reportPinMismatch() {
    guard let pinning = route?.pinning else { return }
    report(pinning, seen: member.handle.leafCertificate.flatMap(CertificateKey.pin))
  }

  private func report(_ pinning: Pinning, seen: String?) {
    guard let report = pinning.report else { return }
    let mismatch = PinMismatch(
      host: plan.origin.host, port: plan.origin.port, expected: pinning.entry.pins, seen: seen,
      wasRefused: pinning.entry.mode == .enforced)
    // It is user code, which never runs on this thread.
    Task { report(mismatch) }
  }
}

extension TLSPolicy.Version {
  /// libcurl's number of it as the oldest version.
  var option: Int { self == .tls12 ? CURL_SSLVERSION_TLSv1_2 : CURL_SSLVERSION_TLSv1_3 }
}
