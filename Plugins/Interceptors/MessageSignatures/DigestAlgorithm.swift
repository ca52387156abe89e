import Cryptography
import HTTPTypes
import Interception

/// A hash algorithm for digests of content (RFC 9530, section 5).
///
/// The algorithms that the registry calls insecure, such as `md5`, are not supported.
public enum DigestAlgorithm: String, Sendable, Hashable, CaseIterable {
  /// SHA-256, with 32 bytes.
  case sha256 = "sha-256"
  /// SHA-512, with 64 bytes.
  case sha512 = "sha-512"

  var hash: ContentHash.Algorithm { self == .sha256 ? .sha256 : .sha512 }

  /// Returns the digest of content in memory.
  func digest(of content: [UInt8]) throws(MessageSignatureError) -> [UInt8] {
    do throws(CryptographyError) { return try hash.hash(of: content) } catch {
      throw MessageSignatureError(.cryptography(operation: error.operation))
    }
  }
}

extension RequestBody {
  /// Returns the digest of the content, read in chunks if it isn't in memory.
  func digest(by algorithm: DigestAlgorithm) async throws -> [UInt8] {
    if let bytes { return try algorithm.digest(of: bytes) }
    do {
      var hash = try ContentHash(algorithm.hash)
      try await read { try hash.update($0) }
      return try hash.finish()
    } catch let error as CryptographyError {
      throw MessageSignatureError(.cryptography(operation: error.operation))
    }
  }
}

/// The value of a `Content-Digest` or `Repr-Digest` field (RFC 9530, sections 2 and 3).
struct DigestValues: Sendable, Hashable {
  /// The digests by the algorithms that are supported; others are ignored.
  var digests: [DigestAlgorithm: [UInt8]]

  init(_ digests: [DigestAlgorithm: [UInt8]]) { self.digests = digests }

  /// Parses a field's value.
  init(_ text: String, of field: HTTPField.Name) throws(MessageSignatureError) {
    digests = [:]
    for entry in try MessageSignatureFields.dictionary(text, of: field).entries {
      guard let algorithm = DigestAlgorithm(rawValue: entry.key) else { continue }
      guard case .item(let item) = entry.value, case .bytes(let digest) = item.value,
        digest.count == algorithm.hash.size
      else {
        throw MessageSignatureError(
          .malformedField(field, rule: "\(entry.key) is a byte sequence of \(algorithm.hash.size) bytes"))
      }
      digests[algorithm] = digest
    }
  }

  /// The field's value, with the algorithms in the order of their names.
  var text: String {
    var dictionary = StructuredDictionary()
    for algorithm in DigestAlgorithm.allCases {
      guard let digest = digests[algorithm] else { continue }
      dictionary.set(algorithm.rawValue, to: .item(StructuredItem(value: .bytes(digest))))
    }
    var writer = StructuredFieldWriter()
    writer.append(dictionary)
    return writer.text
  }

  /// Throws unless the content has these digests; at least one must be by a supported algorithm.
  func check(_ content: SignableMessage.Content) throws(MessageSignatureError) {
    var isChecked = false
    for algorithm in DigestAlgorithm.allCases {
      guard let stated = digests[algorithm], let actual = try content.digest(by: algorithm) else { continue }
      guard MessageAuthentication.areEqual(stated, actual) else {
        throw MessageSignatureError(.digestMismatch(algorithm))
      }
      isChecked = true
    }
    guard isChecked else { throw MessageSignatureError(.unsupportedDigest) }
  }
}
