import HTTPTypes
package import Interception
import RequestSigning
package import SwitchyardTesting

/// A server of an origin.
package protocol SimulatedServer: AnyObject, Sendable {
  /// Processes a request.
  func reply(to arrival: SimulatedArrival) async -> Response
}

extension SimulatedArrival {
  /// The call that the request belongs to; nil for requests that the app makes by itself.
  var call: Int? { request.call }

  /// The request as a verifier takes it.
  var signedRequest: SignedRequest {
    SignedRequest(
      method: request.head.method.rawValue, authority: origin, path: request.head.path ?? "",
      headerFields: request.head.headerFields, body: body)
  }
}

extension Request {
  /// The call that the request belongs to.
  var call: Int? { head.headerFields[World.callField].flatMap { Int($0) } }
}
