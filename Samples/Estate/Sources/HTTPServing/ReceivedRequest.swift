package import HTTPTypes

package struct ReceivedRequest: Sendable, Hashable {
  /// The method, the scheme, the authority, the path with its raw query, and the fields.
  package var head: HTTPRequest
  package var body: [UInt8]

  package init(head: HTTPRequest, body: [UInt8] = []) {
    self.head = head
    self.body = body
  }

  /// The path without its query, percent-encoded as it was sent.
  package var path: Substring { target.prefix { $0 != "?" } }

  /// The raw query, or `nil` if the target has none.
  package var query: Substring? {
    target.firstIndex(of: "?").map { target[target.index(after: $0)...] }
  }

  private var target: String { head.path ?? "/" }
}

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
