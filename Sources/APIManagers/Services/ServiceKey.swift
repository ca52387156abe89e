import HTTPTypes
public import Interception

/// The signing key of a service in the environment for which a request was formed.
struct ServiceKey: Sendable, Hashable, ContextKey {
  static let defaultValue: ServiceKey? = nil

  let id: String
  let authority: String
}

extension Request {
  /// The ID of the key with which the request's service expects it to be signed, from
  /// ``ServiceAddress/keyID``; nil if the service names none.
  ///
  /// The source of an app's signing keys returns the key with this ID:
  ///
  /// ```swift
  /// struct AppKeys: SigningKeySource {
  ///   let keys: [String: SigningKey]
  ///
  ///   func signingKey(for request: Request) -> SigningKey? { request.serviceKeyID.flatMap { keys[$0] } }
  /// }
  /// ```
  ///
  /// It is nil too once a redirect has led the request to another authority, which must not receive a
  /// signature.
  public var serviceKeyID: String? {
    guard let key = context[ServiceKey.self], key.authority == head.authority else { return nil }
    return key.id
  }
}
