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
    guard !request.hasTrailers else {
      throw NetworkError(
        .unsupported,
        "URLSession sends no trailer fields; set fields of the head, or send the request through CurlDispatcher."
      )
    }
    if let fault = body.lengthFault { throw RequestAddress.invalid(fault) }
    if !body.isEmpty, [.get, .head, .trace].contains(method) {
      throw RequestAddress.invalid(
        "URLSession does not send a body with \(method.rawValue); remove it, or use another method.")
    }
    fields = try FieldMapping(request, address: address, userAgent: userAgent, behavior: behavior).fields
    needsOwnConnection = behavior.resendsUsedUpBodies && !(body.isEmpty && request.permits(.resending))
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

/// The header fields of a request in the form required by `URLRequest`, with unique names.
struct FieldMapping {
  private(set) var fields: [(name: String, value: String)] = []
  private var places: [String: Int] = [:]

  /// Validates the fields, joins repeated ones, and adds those that the platform would otherwise set itself.
  ///
  /// - Throws: ``NetworkError/Kind/invalidRequest``, which names the field but never its value.
  init(
    _ request: Request, address: RequestAddress, userAgent: String?, behavior: PlatformBehavior
  ) throws(NetworkError) {
    for field in request.head.headerFields {
      switch field.name.canonicalName {
      case "host":
        guard field.value == address.authority else {
          throw RequestAddress.invalid(
            "The Host field differs from the authority \(address.authority); remove it: the authority is sent as Host."
          )
        }
      case "content-length":
        guard field.value == request.body.length.map(String.init) else {
          throw RequestAddress.invalid(
            "The Content-Length field differs from the body's length; remove it: the transport sets it.")
        }
      case "transfer-encoding", "expect", "connection", "upgrade", "keep-alive", "proxy-connection",
        "proxy-authorization", "http2-settings", "te":
        throw RequestAddress.invalid(
          "The \(field.name.rawName) field belongs to the connection, not to the request; remove it.")
      default:
        try append(field)
      }
    }
    if behavior.takesHostField { set("Host", address.authority) }
    // Without the field Foundation would accept what it decodes.
    setIfMissing("Accept-Encoding", "identity")
    // Foundation would send the user's language, and declare a body without a type as a form.
    setIfMissing("Accept-Language", "*")
    setIfMissing("Accept", "*/*")
    if request.head.method == .post, !request.body.isEmpty {
      setIfMissing("Content-Type", "application/octet-stream")
    }
    if let userAgent {
      guard HTTPField.isValidValue(userAgent) else {
        throw RequestAddress.invalid(
          "URLSessionDispatcher.Configuration(userAgent:) contains a control character or outer white space; "
            + "remove it.")
      }
      setIfMissing("User-Agent", userAgent)
    }
  }

  private mutating func append(_ field: HTTPField) throws(NetworkError) {
    let name = field.name.rawName
    guard !field.value.utf8.contains(where: { $0 == 0 || $0 == 0x0A || $0 == 0x0D }) else {
      throw RequestAddress.invalid(
        "The value of the header field \(RequestAddress.printable(name)) contains a line break or a zero byte; remove it."
      )
    }
    guard String(validating: field.bytes, as: UTF8.self) != nil else {
      throw RequestAddress.invalid(
        "The value of the header field \(RequestAddress.printable(name)) is not UTF-8, which URLSession can't send; "
          + "send it with a CurlDispatcher.")
    }
    guard let place = places[field.name.canonicalName] else { return set(name, field.value) }
    // RFC 9113, section 8.2.3 for cookies; RFC 9110, section 5.3 for other fields.
    let separator = field.name == .cookie ? "; " : ", "
    fields[place].value += separator + field.value
  }

  private mutating func setIfMissing(_ name: String, _ value: String) {
    if places[name.lowercased()] == nil { set(name, value) }
  }

  private mutating func set(_ name: String, _ value: String) {
    if let place = places[name.lowercased()] {
      fields[place].value = value
    } else {
      places[name.lowercased()] = fields.count
      fields.append((name, value))
    }
  }
}
