import CLibcrypto
import Foundation

/// An X.509 certificate, read by libcrypto.
final class Certificate {
  private let x509: OpaquePointer

  /// Reads the first certificate of a file in PEM form; `nil` if there is none.
  init?(pem: [UInt8]) {
    guard let x509 = readPEM(pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else { return nil }
    self.x509 = x509
  }

  deinit { X509_free(x509) }

  /// The end of its validity, or `nil` if libcrypto can't read it.
  var end: Date? {
    var parts = tm()
    guard ASN1_TIME_to_tm(X509_get0_notAfter(x509), &parts) == 1 else { return nil }
    return Date(timeIntervalSince1970: TimeInterval(timegm(&parts)))
  }

  /// Whether the other certificate's key signed this one; does not look at the validity of either.
  func isSigned(by authority: Certificate) -> Bool {
    guard let key = X509_get0_pubkey(authority.x509) else { return false }
    return X509_verify(x509, key) == 1
  }

  /// Whether the key is the one that this certificate is for.
  func isFor(_ key: PrivateKey) -> Bool { X509_check_private_key(x509, key.pointer) == 1 }
}

/// A private key, read by libcrypto.
final class PrivateKey {
  fileprivate let pointer: OpaquePointer

  /// Reads the first private key of a file in PEM form, which must not be encrypted; `nil` if there is none.
  init?(pem: [UInt8]) {
    // Without a callback libcrypto would ask for a passphrase on the terminal.
    let key = readPEM(pem) { PEM_read_bio_PrivateKey($0, nil, { _, _, _, _ in -1 }, nil) }
    guard let key else { return nil }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }
}

/// Returns what `read` finds in a PEM text, or `nil`.
private func readPEM(_ pem: [UInt8], _ read: (OpaquePointer) -> OpaquePointer?) -> OpaquePointer? {
  // An empty write fails.
  guard let count = CInt(exactly: pem.count), count > 0, let input = BIO_new(BIO_s_mem()) else { return nil }
  defer { BIO_free(input) }
  guard BIO_write(input, pem, count) == count else { return nil }
  // A failure leaves its reason in the thread's error queue, which the next user of libcrypto would find.
  defer { ERR_clear_error() }
  return read(input)
}
