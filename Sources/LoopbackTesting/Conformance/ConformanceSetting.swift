import HTTPTypes
public import Interception

/// What a dispatcher under test is made of.
public struct ConformanceSetting: Sendable {
  /// The PEM file of the one authority to trust.
  public let authorityFile: String

  /// Answers as the suite's server would, without a wire; for scripted dispatchers.
  ///
  /// The delivery and its limit are honoured, time limits are not.
  public func answer(_ request: Request) async throws(NetworkError) -> Response {
    let body = try await request.body.collect(upTo: 64 << 20)
    let received = LoopbackRequest(
      head: request.head, body: body, trailers: [:], version: .http1, connection: 1, stream: 0)
    let answer = ConformanceOrigin.answer(received)
    var fields = answer.fields
    if answer.framing == .length, answer.status != 204, answer.status != 304 {
      fields[.contentLength] = "\(answer.content.length)"
    }
    let hasContent = answer.hasContent(for: request.head.method)
    let content = hasContent ? answer.content.slice(0..<answer.content.length) : []
    let head = HTTPResponse(status: HTTPResponse.Status(code: answer.status), headerFields: fields)
    let whole = ResponseBody.bytes(content)
    let trailers = answer.trailers.isEmpty ? nil : answer.trailers
    switch request.options.delivery {
    case .buffered(let limit):
      _ = try await whole.collect(upTo: limit)
      return Response(head, body: whole, trailers: trailers)
    case .streamed:
      let ending = StreamEnding()
      ending.finish(trailers: trailers)
      let stream = BodyStream(
        length: answer.framing == .length ? Int64(content.count) : nil, ending: ending,
        BufferedByteSource(content))
      return Response(head, body: .stream(stream))
    }
  }
}
