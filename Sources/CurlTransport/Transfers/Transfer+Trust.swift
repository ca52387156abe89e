extension Transfer {
  /// Reports a key that is used although it is not pinned, if this transfer opened the connection.
  func checkPin() {
    guard let pins = plan.site.options.pins, pins.mode == .reportOnly, onPinMismatch != nil,
      let seen = seenPin, !pins.pins.contains(seen)
    else { return }
    report(pins, seen: seen)
  }

  /// Reports the key for which libcurl refused the connection.
  func reportPinMismatch() {
    if let pins = plan.site.options.pins { report(pins, seen: seenPin) }
  }

  private var seenPin: String? { handle.easy.leafCertificate.flatMap(CertificateKey.pin) }

  private var onPinMismatch: (@Sendable (PinMismatch) -> Void)? { shared.configuration.tls.onPinMismatch }

  private func report(_ pins: PublicKeyPins.Entry, seen: String?) {
    guard let report = onPinMismatch else { return }
    let mismatch = PinMismatch(
      host: plan.origin.host, port: plan.origin.port, expected: pins.pins, seen: seen,
      wasRefused: pins.mode == .enforced)
    // User code must not run on the loop's thread.
    Task { report(mismatch) }
  }
}
