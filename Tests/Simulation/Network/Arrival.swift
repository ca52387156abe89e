package import HTTPTypes
package import Interception
import RequestSigning

/// A request as it arrives at a server.
package struct Arrival: Sendable {
  /// The number of the exchange, counted from 1.
  package let number: Int
  /// The request as it left the chain; servers read its head and body only, checks read its context, too.
  package let request: Request
  package let body: [UInt8]
  package let origin: String
  /// The call that the request belongs to; nil for requests that the app makes by itself.
  package let call: Int?
  package let time: Duration

  package var path: String { String(request.head.path?.prefix { $0 != "?" } ?? "") }
  /// The request as a verifier takes it.
  var signedRequest: SignedRequest {
    SignedRequest(
      method: request.head.method.rawValue, authority: origin, path: request.head.path ?? "",
      headerFields: request.head.headerFields, body: body)
  }
  package func field(_ name: HTTPField.Name) -> String? { request.head.headerFields[name] }
}

/// A server's response.
package struct Reply: Sendable {
  package var status: HTTPResponse.Status
  package var fields: HTTPFields = [:]
  package var body: [UInt8] = []
}

/// A server of an origin.
package protocol SimulatedServer: AnyObject {
  /// Processes a request.
  func reply(to arrival: Arrival) async -> Reply
}
