import Cryptography
public import HTTPTypes
import Interception

/// The names of the fields that carry signatures and digests.
///
/// They differ between attempts: a log should redact `signature`.
public enum MessageSignatureFields {
  /// `Signature-Input`: the covered components and parameters of each signature (RFC 9421, section 4.1).
  public static let signatureInput = name("Signature-Input")
  /// `Signature`: the signatures (RFC 9421, section 4.2).
  public static let signature = name("Signature")
  /// `Content-Digest`: digests of the content after any content coding (RFC 9530, section 2).
  package static let contentDigest = name("Content-Digest")
  /// `Repr-Digest`: digests of the selected representation (RFC 9530, section 3), which differ from those of
  /// the content for partial responses.
  package static let representationDigest = name("Repr-Digest")

  /// The fields by which a server may replace the method of a request, which signatures therefore cover.
  static let methodOverrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"]
    .compactMap { HTTPField.Name($0) }

  /// The limits of the fields that are read from a peer before its signature is verified.
  static let limits = StructuredFieldParser.Limits(length: 16_384, members: 64, allowsDuplicateKeys: false)

  /// Parses a dictionary whose keys must be unique (RFC 9421, section 4).
  static func dictionary(
    _ text: String, of field: HTTPField.Name
  ) throws(MessageSignatureError) -> StructuredDictionary {
    do throws(StructuredFieldError) {
      return try StructuredFieldParser.dictionary(text, limits: limits)
    } catch { throw malformed(field.canonicalName, error) }
  }

  /// Returns the error for a field that isn't a structured one of the expected type.
  static func malformed(_ name: String, _ error: StructuredFieldError) -> MessageSignatureError {
    MessageSignatureError(
      .malformedField(
        HTTPField.Name(name) ?? signature, rule: error.rule.rawValue, offset: error.offset))
  }

  // The fallback is never used: a test checks that the literals above are legal names.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }
}
