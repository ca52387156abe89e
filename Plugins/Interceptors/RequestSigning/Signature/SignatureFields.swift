public import HTTPTypes

/// The names of the header fields that signing adds.
///
/// They differ between attempts: a cache key must ignore them, and a log should redact ``nonce``,
/// ``signature`` and ``sealedKey``.
public enum SignatureFields {
  /// `Switchyard-Key`: the id of the key.
  public static let key = name("Switchyard-Key")
  /// `Switchyard-Time`: whole seconds since 1970, in decimal digits.
  public static let time = name("Switchyard-Time")
  /// `Switchyard-Nonce`: 128 random bits as 32 lower-case hexadecimal digits.
  public static let nonce = name("Switchyard-Nonce")
  /// `Switchyard-API`: service and name of the API, percent-encoded and joined by a slash; absent without an
  /// API.
  public static let api = name("Switchyard-API")
  /// `Switchyard-Fields`: the names of the other covered header fields, in lower case, joined by spaces;
  /// absent if there are none.
  public static let covered = name("Switchyard-Fields")
  /// `Switchyard-Signature`: the version of the scheme, a period, and the HMAC-SHA256 as 64 lower-case
  /// hexadecimal digits.
  public static let signature = name("Switchyard-Signature")
  /// `Switchyard-Sealed-Key`: the id of a platform's key, a space, and the caller's secret encrypted to it,
  /// in lower-case hexadecimal digits; absent unless the signer knows a platform's key.
  public static let sealedKey = name("Switchyard-Sealed-Key")

  /// All of them.
  public static let all: [HTTPField.Name] = [key, time, nonce, api, covered, signature, sealedKey]

  /// Whether a name is one of them; the first letter rules out almost every other name.
  static func contains(_ name: HTTPField.Name) -> Bool {
    name.canonicalName.utf8.first == UInt8(ascii: "s") && all.contains(name)
  }

  // The fallback is never used: a test checks that the literals above are legal names.
  private static func name(_ text: String) -> HTTPField.Name { HTTPField.Name(text) ?? .authorization }
}
