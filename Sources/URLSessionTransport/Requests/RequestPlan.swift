import Foundation
import HTTPTypes
import Interception

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// A request made ready for the URL loading system: checked, and without its body.
struct RequestPlan: Sendable {
  let address: RequestAddress
  let method: HTTPRequest.Method
  /// Name and value; every name stands once.
  let fields: [(name: String, value: String)]
  let body: RequestBody
  let options: RequestOptions
  /// Whether it must not share a connection, since it would be sent twice if that was dead.
  let needsOwnConnection: Bool

  /// Checks a request.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the part that is wrong.
  init(_ request: Request, userAgent: String?, habits: PlatformHabits) throws(NetworkError) {
    address = try RequestAddress(request.head)
    method = request.head.method
    body = request.body
    options = request.options
    guard request.context.connectTarget == nil else {
      throw RequestAddress.invalid(
        "URLSession connects where the URL says and nowhere else; take the interceptor that sets a connect target out "
          + "of this chain, or send through CurlDispatcher.")
    }
    if let fault = body.lengthFault { throw RequestAddress.invalid(fault) }
    if !body.isEmpty, [.get, .head, .trace].contains(method) {
      throw RequestAddress.invalid(
        "URLSession sends no body with \(method.rawValue); remove it, or use another method.")
    }
    fields = try FieldMapping(request, address: address, userAgent: userAgent, habits: habits).fields
    needsOwnConnection = habits.resendsUsedUpBodies && !(body.isEmpty && Self.isIdempotent(method))
  }

  /// What the session is given.
  func urlRequest(body: [UInt8]) -> URLRequest {
    // The session's own limits are put out of the way; the transfer has timers that name their phase.
    var request = URLRequest(
      url: address.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: Self.never)
    request.httpMethod = method.rawValue
    request.httpShouldHandleCookies = false
    for field in fields { request.setValue(field.value, forHTTPHeaderField: field.name) }
    if !body.isEmpty { request.httpBody = Data(body) }
    return request
  }

  /// A week: longer than any transfer, and not so long that it overflows where Foundation counts
  /// milliseconds.
  static let never: TimeInterval = 7 * 24 * 60 * 60

  // RFC 9110, section 9.2.2.
  private static func isIdempotent(_ method: HTTPRequest.Method) -> Bool {
    [.get, .head, .put, .delete, .options, .trace].contains(method)
  }
}
