import CLibcrypto

/// The secret with which the server signs the list of its addresses, and the app verifies it.
///
/// A signed list has the HMAC-SHA256 of the rest in hexadecimal on its first line. An app in a store would
/// have a public key instead, because a secret that is in every copy of an app is none.
package struct AddressListKey: Sendable {
  enum Fault: Error {
    case unsigned
    case wrongSignature
  }

  /// Precedes the list in what is signed, so that no other signature by the secret is one of a list.
  private static let purpose = Array("estate addresses 1\n".utf8)

  private let secret: [UInt8]

  package init(secret: [UInt8]) { self.secret = secret }

  /// Returns the list of a signed one.
  ///
  /// - Throws: ``Fault`` if the signature is missing or not valid.
  func content(of signed: [UInt8]) throws(Fault) -> [UInt8] {
    guard let end = signed.firstIndex(of: UInt8(ascii: "\n")) else { throw .unsigned }
    let content = Array(signed[(end + 1)...])
    let expected = Array(Self.hexadecimal(signature(of: content)).utf8)
    let found = Array(signed[..<end])
    guard found.count == expected.count, CRYPTO_memcmp(found, expected, expected.count) == 0 else {
      throw .wrongSignature
    }
    return content
  }

  private func signature(of content: [UInt8]) -> [UInt8] {
    let message = Self.purpose + content
    var code = [UInt8](repeating: 0, count: Int(EVP_MAX_MD_SIZE))
    var count: UInt32 = 0
    guard HMAC(EVP_sha256(), secret, Int32(secret.count), message, message.count, &code, &count) != nil else {
      return []
    }
    return Array(code.prefix(Int(count)))
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
