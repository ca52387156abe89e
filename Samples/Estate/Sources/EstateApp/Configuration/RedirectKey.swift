import CLibcrypto
import Switchyard

/// The Ed25519 public key (RFC 8032) of the signer of redirect tables, by libcrypto.
struct RedirectKey: RedirectVerifier, Hashable {
  private static let length = 32
  private static let signatureLength = 64

  private let bytes: [UInt8]

  /// Reads a key in PEM form, as `openssl pkey -pubout` writes it; `nil` for anything else.
  init?(pem: [UInt8]) {
    guard let input = BIO_new(BIO_s_mem()) else { return nil }
    defer { BIO_free(input) }
    guard let count = Int32(exactly: pem.count), BIO_write(input, pem, count) == count,
      let key = PEM_read_bio_PUBKEY(input, nil, nil, nil)
    else { return nil }
    defer { EVP_PKEY_free(key) }
    var raw = [UInt8](repeating: 0, count: Self.length)
    var length = Self.length
    guard EVP_PKEY_get_base_id(key) == NID_ED25519,
      EVP_PKEY_get_raw_public_key(key, &raw, &length) == 1, length == Self.length
    else { return nil }
    bytes = raw
  }

  func isValid(_ signature: [UInt8], of payload: [UInt8]) -> Bool {
    guard signature.count == Self.signatureLength,
      let key = EVP_PKEY_new_raw_public_key(NID_ED25519, nil, bytes, bytes.count)
    else { return false }
    defer { EVP_PKEY_free(key) }
    guard let context = EVP_MD_CTX_new() else { return false }
    defer { EVP_MD_CTX_free(context) }
    return EVP_DigestVerifyInit(context, nil, nil, nil, key) == 1
      && EVP_DigestVerify(context, signature, signature.count, payload, payload.count) == 1
  }
}
