import APIManagers
import HTTPTypes
import Interception
import RequestSigning

/// Signs what goes to the sample's own server, and nothing that goes elsewhere.
struct EstateKeys: SigningKeySource {
  let key: SigningKey

  func signingKey(for request: Request) -> SigningKey? {
    request.head.authority == Service.estateHost ? key : nil
  }
}
