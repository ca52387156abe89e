import Foundation
import HTTPTypes
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request prepared for the URL loading system: validated, and without its body.
struct RequestPlan: Sendable {
  let address: RequestAddress
  let method: HTTPRequest.Method
  /// The names and values; names are unique.
  let fields: [(name: String, value: String)]
  let body: RequestBody
  let options: RequestOptions
  /// Whether the request must not share a connection, because it would be sent twice if the connection was
  /// dead.
  let needsOwnConnection: Bool

  /// Validates a request.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the invalid part.
  init(_ request: Request, userAgent: String?, behavior: PlatformBehavior) throws(NetworkError) {
    address = try RequestAddress(request.head)
    method = request.head.method
    body = request.body
    options = request.options
    guard request.context.connectTarget == nil else {
      throw RequestAddress.invalid(
        "URLSession cannot connect to a connect target; remove the interceptor that sets one "
          + "from this chain, or send the request through CurlDispatcher.")
    }
    if let fault = body.lengthFault { throw RequestAddress.invalid(fault) }
    if !body.isEmpty, [.get, .head, .trace].contains(method) {
      throw RequestAddress.invalid(
        "URLSession does not send a body with \(method.rawValue); remove it, or use another method.")
    }
    fields = try FieldMapping(request, address: address, userAgent: userAgent, behavior: behavior).fields
    needsOwnConnection = behavior.resendsUsedUpBodies && !(body.isEmpty && request.mayBeResent)
  }

  /// Returns the request for the session.
  func urlRequest(body: [UInt8]) -> URLRequest {
    // The session's own limits are disabled; the transfer has timers that name their phase.
    var request = URLRequest(
      url: address.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.never)
    request.httpMethod = method.rawValue
    request.httpShouldHandleCookies = false
    for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    if !body.isEmpty { request.httpBody = Data(body) }
    return request
  }

  /// A week: longer than any transfer, and short enough not to overflow in Foundation's milliseconds.
  static let never: TimeInterval = 7 * 24 * 60 * 60
}
