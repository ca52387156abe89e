package import HTTPTypes

package struct ServerResponse: Sendable {
  package var status: HTTPResponse.Status
  /// The fields.
  ///
  /// `Content-Length` is added for a body; a response to HEAD and a 304 name the length of the body they
  /// omit.
  package var fields: HTTPFields
  /// The body, unless it is streamed.
  package var body: [UInt8]
  /// The body of unknown length that is sent while it arises; `nil` for one that is complete.
  package var stream: StreamedBody?

  package init(_ status: HTTPResponse.Status, fields: HTTPFields = [:], body: [UInt8] = []) {
    self.status = status
    self.fields = fields
    self.body = body
    if !body.isEmpty { self.fields[.contentLength] = String(body.count) }
  }

  package init(_ status: HTTPResponse.Status, fields: HTTPFields = [:], stream: StreamedBody) {
    self.init(status, fields: fields)
    self.stream = stream
  }

  /// The same response without its body, as HEAD is answered.
  package var withoutBody: ServerResponse {
    var response = self
    response.body = []
    response.stream = nil
    return response
  }
}
