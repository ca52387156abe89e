import APIManagers
import HTTPTypes
import Interception
import RequestSigning

/// Signs requests to the sample's own server only.
struct EstateKeys: SigningKeySource {
  let key: SigningKey

  func signingKey(for request: Request) -> SigningKey? {
    request.head.authority == Service.estateHost ? key : nil
  }
}
