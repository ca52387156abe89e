import FlyingFox
import Foundation
import HTTPTypes

extension ReceivedRequest {
  /// Reads a request of FlyingFox, with at most one byte of its body more than the limit.
  ///
  /// The body is read completely, because the rest of it would be parsed as the connection's next
  /// request. Returns `nil` if the method is not a token (RFC 9110 section 9.1).
  init?(_ request: FlyingFox.HTTPRequest, scheme: String, bodyLimit: Int) async throws {
    guard let method = HTTPTypes.HTTPRequest.Method(request.method.rawValue) else { return nil }
    var fields = HTTPFields()
    for (header, value) in request.headers {
      if let name = HTTPField.Name(header.rawValue) { fields.append(HTTPField(name: name, value: value)) }
    }
    let head = HTTPTypes.HTTPRequest(
      method: method, scheme: scheme, authority: request.headers[.host], path: request.target.rawValue,
      headerFields: fields)
    var body: [UInt8] = []
    for try await chunk in request.bodySequence {
      body.append(contentsOf: chunk.prefix(bodyLimit + 1 - body.count))
    }
    self.init(head: head, body: body)
  }
}

extension FlyingFox.HTTPResponse {
  /// Creates the response that FlyingFox sends, without its body if the request is HEAD.
  init(_ response: ServerResponse, to request: ReceivedRequest) {
    let response = request.head.method == .head ? response.withoutBody : response
    var headers = HTTPHeaders()
    for field in response.fields { headers.addValue(field.value, for: HTTPHeader(field.name.rawName)) }
    let status = HTTPStatusCode(response.status.code, phrase: response.status.reasonPhrase)
    if let stream = response.stream {
      self.init(
        statusCode: status, headers: headers, body: HTTPBodySequence(from: BodyParts(body: stream)))
    } else {
      self.init(statusCode: status, headers: headers, body: Data(response.body))
    }
  }
}
