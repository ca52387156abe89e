import COpenSSL

/// Computes the pin of a certificate's key.
enum CertificateKey {
  /// Returns the pin of the first certificate in a PEM text; nil if there is none.
  static func pin(ofPEM text: String) -> String? {
    var text = text
    return text.withUTF8 { bytes -> String? in
      guard let source = unsafe BIO_new_mem_buf(bytes.baseAddress, CInt(clamping: bytes.count)) else {
        return nil
      }
      defer { _ = unsafe BIO_free(source) }
      guard let certificate = unsafe PEM_read_bio_X509(source, nil, nil, nil) else { return nil }
      defer { unsafe X509_free(certificate) }
      return unsafe digest(X509_get_X509_PUBKEY(certificate)).map { PublicKeyPins.prefix + base64($0) }
    }
  }

  private static func digest(_ key: OpaquePointer?) -> [UInt8]? {
    var encoded: UnsafeMutablePointer<UInt8>?
    let count = unsafe i2d_X509_PUBKEY(key, &encoded)
    guard count > 0, let encoded = unsafe encoded else { return nil }
    defer { unsafe CRYPTO_free(encoded, "CertificateKey", 0) }
    var digest = [UInt8](repeating: 0, count: 32)
    let isDone = unsafe digest.withUnsafeMutableBufferPointer {
      unsafe EVP_Digest(encoded, Int(count), $0.baseAddress, nil, EVP_sha256(), nil)
    }
    return isDone == 1 ? digest : nil
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
    let count = unsafe bytes.withUnsafeBufferPointer { source in
      unsafe text.withUnsafeMutableBufferPointer {
        unsafe EVP_EncodeBlock($0.baseAddress, source.baseAddress, CInt(clamping: source.count))
      }
    }
    return String(decoding: text.prefix(Int(count)), as: UTF8.self)
  }
}
