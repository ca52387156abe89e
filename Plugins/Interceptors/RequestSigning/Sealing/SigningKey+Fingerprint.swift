import Cryptography

extension SigningKey {
  /// Returns 64 hexadecimal digits that identify the id and secret, from which the secret can't be computed.
  ///
  /// A platform stores them instead of its callers' secrets, and compares them with those of a sealed key.
  ///
  /// - Throws: ``SigningError`` if libcrypto fails.
  public func fingerprint() throws(SigningError) -> String {
    do throws(CryptographyError) { return Hexadecimal.encode(try material.fingerprint()) } catch {
      throw SigningError(error)
    }
  }
}
