public import HTTPTypes
public import Interception

/// What a valid signature says about its request.
public struct SignatureClaims: Sendable, Hashable {
  /// The id of the key.
  public let keyID: String
  /// The API that the client meant to call.
  public let api: APIIdentity?
  /// The moment of signing, in whole seconds.
  public let time: WallTime
  /// The number that no other request of this key carries.
  public let nonce: Nonce
  /// The header fields that the signature covers besides its own.
  public let coveredFields: [HTTPField.Name]
}
