import CLibcrypto

/// A private key, read by libcrypto.
final class PrivateKey {
  let pointer: OpaquePointer

  /// Reads the first private key of a file in PEM form, which must not be encrypted; `nil` if there is none.
  init?(pem: [UInt8]) {
    // Without a callback libcrypto would ask for a passphrase on the terminal.
    let key = PEMReading.read(pem) { input in
      PEM_read_bio_PrivateKey(input, nil, { _, _, _, _ in -1 }, nil)
    }
    guard let key else { return nil }
    pointer = key
  }

  deinit { EVP_PKEY_free(pointer) }
}
