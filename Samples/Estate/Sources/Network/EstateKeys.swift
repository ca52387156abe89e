package import MessageSignatures
package import Switchyard

/// The keys with which requests to the sample's own server are signed, in whichever environment the app uses
/// it.
package struct EstateKeys: Sendable {
  /// The key of the package's own scheme.
  let signing: SigningKey
  /// The key of HTTP Message Signatures, which the server uses for its responses too.
  let message: MessageKey
  /// The key of the list of the server's addresses.
  let addresses: AddressListKey
  /// The time before and after a signature's timestamp in which the server accepts it, by which the app
  /// notices that its clock is wrong.
  package let verifierWindow: Duration

  package init(
    signing: SigningKey, message: MessageKey, addresses: AddressListKey,
    verifierWindow: Duration = .seconds(300)
  ) {
    self.signing = signing
    self.message = message
    self.addresses = addresses
    self.verifierWindow = verifierWindow
  }
}

/// Signs requests to the sample's own server with the package's scheme, unless the app uses the other one.
struct EstateKeySource: SigningKeySource {
  let key: SigningKey
  let switches: AppSwitches

  func signingKey(for request: Request) -> SigningKey? {
    switches.signatures.scheme == .package && switches.isOwnServer(of: request) ? key : nil
  }

  // Every user of the app has the same key.
  func identity(for request: Request) -> Request.Identity? { .app }
}

extension AppSwitches {
  /// Whether a request goes to the sample's own server, also one that was stored in another environment.
  func isOwnServer(of request: Request) -> Bool {
    let current = environments.address(of: .estate).authority
    return [current, Service.estateHost, Service.stagingHost].contains(request.head.authority)
  }

  /// Whether a request is signed with HTTP Message Signatures.
  func usesMessageSignature(_ request: Request) -> Bool {
    signatures.scheme == .messageSignatures && isOwnServer(of: request)
  }
}
