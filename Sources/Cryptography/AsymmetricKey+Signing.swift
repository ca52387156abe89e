import COpenSSL

extension AsymmetricKey {
  /// Returns the signature of a message.
  ///
  /// - Throws: ``CryptographyError``, also if the key is public or of a kind that the scheme doesn't accept.
  package func sign(_ message: [UInt8], with scheme: SignatureScheme) throws(CryptographyError) -> [UInt8] {
    guard isPrivate, scheme.accepts(kind), let context = EVP_MD_CTX_new() else {
      throw CryptographyError(operation: "a signature by \(scheme.rawValue)")
    }
    defer { EVP_MD_CTX_free(context) }
    var parameters: OpaquePointer?
    var count = 0
    guard EVP_DigestSignInit_ex(context, &parameters, scheme.hashName, nil, nil, key, nil) == 1,
      Self.setPadding(of: scheme, in: parameters),
      EVP_DigestSign(context, nil, &count, message, message.count) == 1
    else { throw failure("a signature by", scheme) }
    var signature = [UInt8](repeating: 0, count: count)
    guard EVP_DigestSign(context, &signature, &count, message, message.count) == 1 else {
      throw failure("a signature by", scheme)
    }
    signature.removeLast(signature.count - count)
    guard scheme == .ecdsaP256SHA256 else { return signature }
    guard let pair = ECDSASignature(der: signature) else { throw failure("a signature by", scheme) }
    return pair.bytes
  }

  /// Whether a signature belongs to a message and this key.
  ///
  /// - Throws: ``CryptographyError`` if the scheme doesn't accept the kind of the key, or libcrypto can't
  ///   compute it.
  package func verifies(
    _ signature: [UInt8], of message: [UInt8], with scheme: SignatureScheme
  ) throws(CryptographyError) -> Bool {
    guard scheme.accepts(kind), let context = EVP_MD_CTX_new() else {
      throw CryptographyError(operation: "a verification by \(scheme.rawValue)")
    }
    defer { EVP_MD_CTX_free(context) }
    var signature = signature
    if scheme == .ecdsaP256SHA256 {
      guard let encoded = ECDSASignature(bytes: signature)?.der() else { return false }
      signature = encoded
    }
    var parameters: OpaquePointer?
    guard EVP_DigestVerifyInit_ex(context, &parameters, scheme.hashName, nil, nil, key, nil) == 1,
      Self.setPadding(of: scheme, in: parameters)
    else { throw failure("a verification by", scheme) }
    let isVerified = EVP_DigestVerify(context, signature, signature.count, message, message.count) == 1
    // A signature of another length or form is a failure of libcrypto too, which stays in the thread's queue.
    if !isVerified { ERR_clear_error() }
    return isVerified
  }

  private static func setPadding(of scheme: SignatureScheme, in parameters: OpaquePointer?) -> Bool {
    switch scheme {
    case .ed25519, .ecdsaP256SHA256: true
    case .rsaPKCS1SHA256: EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PADDING) == 1
    case .rsaPSSSHA512:
      EVP_PKEY_CTX_set_rsa_padding(parameters, RSA_PKCS1_PSS_PADDING) == 1
        && EVP_PKEY_CTX_set_rsa_pss_saltlen(parameters, 64) == 1
    }
  }

  private func failure(_ what: String, _ scheme: SignatureScheme) -> CryptographyError {
    ERR_clear_error()
    return CryptographyError(operation: "\(what) \(scheme.rawValue)")
  }
}
