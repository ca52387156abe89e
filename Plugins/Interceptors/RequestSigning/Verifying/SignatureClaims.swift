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
