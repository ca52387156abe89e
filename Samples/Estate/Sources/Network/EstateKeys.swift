import APIManagers
import HTTPTypes
import Interception
import RequestSigning

/// Signs requests to the sample's own server only, in whichever environment the app uses it.
struct EstateKeys: SigningKeySource {
  let key: SigningKey
  let environments: EnvironmentSwitch

  func signingKey(for request: Request) -> SigningKey? {
    let current = environments.address(of: .estate).authority
    return [current, Service.estateHost].contains(request.head.authority) ? key : nil
  }
}
