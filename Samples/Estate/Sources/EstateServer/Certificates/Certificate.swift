import CLibcrypto
import Foundation

/// An X.509 certificate, read by libcrypto.
final class Certificate {
  private let x509: OpaquePointer

  /// Reads the first certificate of a file in PEM form; `nil` if there is none.
  init?(pem: [UInt8]) {
    guard let x509 = PEMReading.read(pem, { PEM_read_bio_X509($0, nil, nil, nil) }) else { return nil }
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
