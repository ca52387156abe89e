import Cryptography
public import HTTPTypes
public import Interception

/// The claims of a valid signature about its request.
public struct SignatureClaims: Sendable, Hashable {
  /// The id of the key.
  public let keyID: String
  /// The API that the client intended to call.
  public let api: APIIdentity?
  /// The time of signing, in whole seconds.
  public let time: WallTime
  /// The nonce, unique among the requests signed with this key.
  public let nonce: Nonce
  /// The header fields that the signature covers, besides its own.
  public let coveredFields: [HTTPField.Name]
}

extension SignatureClaims {
  /// The maximum number of header fields that a signature may cover.
  static let maximumCoveredFields = 32

  /// Parses the fields of a signature, without verifying it.
  static func read(from fields: HTTPFields) throws(SignatureError) -> (SignatureClaims, signature: [UInt8]) {
    guard let keyID = try value(SignatureFields.key, of: fields) else { throw .missing(SignatureFields.key) }
    guard SigningKey.isValid(id: keyID) else { throw .malformed(SignatureFields.key) }
    guard let time = try value(SignatureFields.time, of: fields) else { throw .missing(SignatureFields.time) }
    guard let seconds = seconds(time) else { throw .malformed(SignatureFields.time) }
    guard let text = try value(SignatureFields.nonce, of: fields) else {
      throw .missing(SignatureFields.nonce)
    }
    guard let nonce = Nonce(text) else { throw .malformed(SignatureFields.nonce) }
    guard let mark = try value(SignatureFields.signature, of: fields) else {
      throw .missing(SignatureFields.signature)
    }
    let signature = try SignatureText.decode(mark)
    let claims = SignatureClaims(
      keyID: keyID, api: try api(of: fields), time: WallTime(secondsSince1970: seconds), nonce: nonce,
      coveredFields: try coveredFields(of: fields))
    return (claims, signature)
  }

  private static func value(
    _ name: HTTPField.Name, of fields: HTTPFields
  ) throws(SignatureError) -> String? {
    let values = fields[values: name]
    guard values.count < 2 else { throw .malformed(name) }
    return values.first
  }

  /// Parses at most ten digits without a leading zero, so that a time has one spelling; sufficient until the
  /// year 2286.
  static func seconds(_ text: String) -> Int64? {
    guard (1...10).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
      text.utf8.first != 0x30
    else { return nil }
    return Int64(text)
  }

  private static func api(of fields: HTTPFields) throws(SignatureError) -> APIIdentity? {
    guard let text = try value(SignatureFields.api, of: fields) else { return nil }
    guard let api = CanonicalAPI.decode(text) else { throw .malformed(SignatureFields.api) }
    return api
  }

  static func coveredFields(of fields: HTTPFields) throws(SignatureError) -> [HTTPField.Name] {
    guard let text = try value(SignatureFields.covered, of: fields) else { return [] }
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count <= maximumCoveredFields else { throw .malformed(SignatureFields.covered) }
    var names: [HTTPField.Name] = []
    for word in words {
      guard let name = HTTPField.Name(String(word)), name.canonicalName == word, !names.contains(name),
        !SignatureFields.all.contains(name)
      else { throw .malformed(SignatureFields.covered) }
      names.append(name)
    }
    return names
  }
}
