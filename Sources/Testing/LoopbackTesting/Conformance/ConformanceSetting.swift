#if LoopbackTesting
import HTTPTypes
public import Interception

/// The environment that a dispatcher under test is created for.
public struct ConformanceSetting: Sendable {
  /// The PEM file of the only authority to trust.
  public let authorityFile: String

  /// Responds like the suite's server, but without connections; for scripted dispatchers.
  ///
  /// The delivery option and its limit apply; time limits do not.
  public func respond(to request: Request) async throws(NetworkError) -> Response {
    let body = try await request.body.collect(upTo: 64 << 20)
    let sent = try await request.trailers?.fields() ?? [:]
    let received = LoopbackRequest(
      head: request.head, body: body, trailers: sent, version: .http1, connection: 1, stream: 0)
    let response = ConformanceOrigin.response(to: received)
    var fields = response.fields
    if response.framing == .length, response.status != 204, response.status != 304 {
      fields[.contentLength] = "\(response.content.length)"
    }
    let hasContent = response.hasContent(for: request.head.method)
    let content = hasContent ? response.content.slice(0..<response.content.length) : []
    let head = HTTPResponse(status: HTTPResponse.Status(code: response.status), headerFields: fields)
    let whole = ResponseBody.bytes(content)
    let trailers = response.trailers.isEmpty ? nil : response.trailers
    switch request.options.delivery {
    case .buffered(let limit):
      _ = try await whole.collect(upTo: limit)
      return Response(head, body: whole, trailers: trailers)
    case .streamed:
      let ending = BodyStream.Ending()
      ending.finish(trailers: trailers)
      let stream = BodyStream(
        length: response.framing == .length ? Int64(content.count) : nil, ending: ending,
        BufferedByteSource(content))
      return Response(head, body: .stream(stream))
    }
  }
}
#endif
